#include "start/host_particles.hpp"

#include <algorithm>

#include "device/host_loop.hpp"

namespace mesowarp {
namespace {

// The indices below `count` that have a property, in order: threads count those of their pieces, then each writes its
// own.
template <class Has>
LargeVector<u32> indicesOf(i64 count, const Has& has) {
  constexpr i64 piece = 1 << 16;
  const i64 pieces = (count + piece - 1) / piece;
  std::vector<i64> first(static_cast<std::size_t>(pieces) + 1, 0);
  hostLoop("count kept particles", 0, pieces, [&](i64 p) {
    i64 found = 0;
    for (i64 i = p * piece; i < std::min(count, (p + 1) * piece); ++i) found += has(i) ? 1 : 0;
    first[p + 1] = found;
  });
  for (i64 p = 0; p < pieces; ++p) first[p + 1] += first[p];
  LargeVector<u32> indices(static_cast<std::size_t>(first[pieces]));
  hostLoop("list kept particles", 0, pieces, [&](i64 p) {
    i64 to = first[p];
    for (i64 i = p * piece; i < std::min(count, (p + 1) * piece); ++i)
      if (has(i)) indices[to++] = static_cast<u32>(i);
  });
  return indices;
}

template <class T>
void pick(LargeVector<T>& values, const LargeVector<u32>& indices) {
  LargeVector<T> picked(indices.size());
  hostLoop("move kept particles", 0, static_cast<i64>(indices.size()), [&](i64 k) { picked[k] = values[indices[k]]; });
  values.swap(picked);
}

}  // namespace

int HostParticles::mostBondsOfAParticle() const {
  if (bonds.empty()) return 0;
  std::vector<int> bondsOf(position.size(), 0);
  for (const auto& bond : bonds) ++bondsOf[bond.a], ++bondsOf[bond.b];
  return *std::max_element(bondsOf.begin(), bondsOf.end());
}

namespace {

template <class Terms>
int mostOfAParticle(const Terms& terms, std::size_t particles) {
  if (terms.empty()) return 0;
  std::vector<int> termsOf(particles, 0);
  for (const auto& term : terms)
    for (const u32 tag : term.tag) ++termsOf[tag];
  return *std::max_element(termsOf.begin(), termsOf.end());
}

}  // namespace

TermSlots HostParticles::slots() const {
  TermSlots slots(mostBondsOfAParticle());
  slots.angles = mostOfAParticle(angles, position.size());
  slots.dihedrals = mostOfAParticle(dihedrals, position.size());
  slots.molecules = !molecule.empty();
  return slots;
}

void HostParticles::keep(const Domain& domain) {
  const DomainBounds bounds(domain);
  const auto leading = [&](i64 i, int axis) { return static_cast<u32>(position[i][axis] >> 32); };
  tag = indicesOf(static_cast<i64>(position.size()),
                  [&](i64 i) { return bounds.way(leading(i, 0), leading(i, 1), leading(i, 2)) == direction::here; });
  pick(position, tag), pick(velocity, tag), pick(species, tag);
  if (!image.empty()) pick(image, tag);
  if (!molecule.empty()) pick(molecule, tag);
}

}  // namespace mesowarp
