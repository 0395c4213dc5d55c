// "Did you mean …?": the nearest known word.
#pragma once

#include <string>
#include <vector>

namespace mesowarp::input {

// Edits (insert, delete, replace, swap of neighbours; case is free) from one word to the other.
int editDistance(const std::string& from, const std::string& to);

// The known word nearest to `word`, if near enough to be meant; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

// `; did you mean "x"?` if one is near, else `; known: a, b, c`.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

// Words in quotes, with commas; an "or" or "and" before the last if given.
std::string enumerate(const std::vector<std::string>& words, const std::string& last = "");

}  // namespace mesowarp::input
