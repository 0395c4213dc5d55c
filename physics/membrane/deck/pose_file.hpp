// Where cells start, from a file: a line of names, then a line a cell, words separated by commas or blanks, # before
// comments. x, y, z are the centre; normal_x, normal_y, normal_z where the mesh's z axis points; or q_w, q_x, q_y, q_z
// the turn as a quaternion. Other columns are not read, but for those of a cells.csv: of its rows the last step's
// count, and of those the population's, if the file names it.
#pragma once

#include <string>
#include <vector>

#include "physics/membrane/deck/poses.hpp"

namespace mesowarp::membrane {

// Throws InputError "path:line: what".
std::vector<Pose> readPoses(const std::string& path, const std::string& population);

}  // namespace mesowarp::membrane
