// What bonds say of a trajectory's particles: which molecule each is of; and which kind each bond or angle is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/h5md/h5md_reader.hpp"

namespace mesowarp::io {

// By particle, from 1, in the order of the molecules' first particles; 0 for particles without bonds. bonds: 2B indices
// of particles below count. Empty if there are no bonds. Throws RunError if a bond names another particle.
std::vector<std::int64_t> moleculesOf(const std::vector<std::uint32_t>& bonds, std::size_t count);

// By term, the number from 1 of its [[bond]], [[angle]] or [[dihedral]] block (name), of so many members each. A
// trajectory does not store it: where its deck (resolved) has several blocks, the newest checkpoint beside the
// trajectory tells, by the tags of the run. Throws InputError if there is none, or it has other terms.
std::vector<int> termTypesOf(const H5mdReader& trajectory, const std::string& name, std::size_t members,
                             const std::vector<std::uint32_t>& terms);

}  // namespace mesowarp::io
