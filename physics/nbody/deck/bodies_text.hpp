// Bodies from a plain text file: one line for each body, x y z vx vy vz [mass [charge [type]]], '#' begins a comment.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mesowarp::nbody {

struct BodiesText {
  std::vector<std::array<double, 3>> position, velocity;
  std::vector<double> mass, charge;  // one for each body, or empty where the lines end before
  std::vector<std::int64_t> type;    // from 1
};

// Throws InputError with file and line; every line must have as many words as the first.
BodiesText readBodiesText(const std::string& path);

// Pairs of numbers below `count`, a line each, none with itself. Throws InputError.
std::vector<std::array<std::uint32_t, 2>> readPairsText(const std::string& path, std::int64_t count);

// Lines of the file that say something, without a look at what.
std::int64_t bodiesInText(const std::string& path);

}  // namespace mesowarp::nbody
