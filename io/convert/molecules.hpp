// What bonds say of a trajectory's particles: which molecule each is of, and which kind each bond is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mesowarp::io {

// By particle, from 1, in the order of the molecules' first particles; 0 for particles without bonds. bonds: 2B indices
// of particles below count. Empty if there are no bonds. Throws RunError if a bond names another particle.
std::vector<std::int64_t> moleculesOf(const std::vector<std::uint32_t>& bonds, std::size_t count);

// By bond, the number from 1 of its [[bond]] block. A trajectory does not store it: where its deck (resolved) has
// several blocks, the newest checkpoint beside the trajectory tells. Throws InputError if there is none, or it has
// other bonds.
std::vector<int> bondTypesOf(const std::string& trajectory, const std::string& deck,
                             const std::vector<std::uint32_t>& bonds);

}  // namespace mesowarp::io
