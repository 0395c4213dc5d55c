// Text of a file's or a deck's for a terminal or a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mesowarp::input {

// Without anything that a terminal would obey: control characters but newline and tab (C0, DEL, C1) and bytes that are
// no UTF-8 become \x1B and the like. What is longer than `most` bytes is cut, and says so.
std::string printable(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace mesowarp::input
