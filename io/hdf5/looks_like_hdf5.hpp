// Whether a file is one of HDF5's.
#pragma once

#include <string>

namespace mesowarp::io {

// Whether it begins as HDF5 does.
bool looksLikeHdf5(const std::string& path);

}  // namespace mesowarp::io
