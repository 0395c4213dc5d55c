// docs/reference.md, from the schema.
#pragma once

#include <string>

namespace mesowarp::input {

std::string referenceMarkdown();

}  // namespace mesowarp::input
