#include "start/whole_molecules.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "core/images.hpp"
#include "state/particles.hpp"

namespace mesowarp {
namespace {

// The particles bonded to each particle, which are numbered from 0.
struct Neighbours {
  std::vector<i64> start;
  std::vector<u32> other;

  Neighbours(const HostParticles& particles, i64 first, std::size_t firstBond)
      : start(static_cast<std::size_t>(particles.count() - first) + 1, 0),
        other(2 * (particles.bonds.size() - firstBond)) {
    const auto ends = [&](std::size_t b) {
      const auto& bond = particles.bonds[b];
      return std::array<u32, 2>{static_cast<u32>(bond.a - first), static_cast<u32>(bond.b - first)};
    };
    for (std::size_t b = firstBond; b < particles.bonds.size(); ++b)
      for (const u32 end : ends(b)) ++start[end + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    std::vector<i64> next(start.begin(), start.end() - 1);
    for (std::size_t b = firstBond; b < particles.bonds.size(); ++b) {
      const auto [a, c] = ends(b);
      other[next[a]++] = c, other[next[c]++] = a;
    }
  }
};

class Molecules {
public:
  Molecules(HostParticles& particles, const Box& box, i64 first, std::size_t firstBond, bool given, int sheared)
      : box_(box), given_(given), sheared_(sheared), position_(particles.position.data() + first),
        image_(particles.image.data() + first), neighbours_(particles, first, firstBond),
        walked_(neighbours_.start.size() - 1), seen_(walked_.size(), false) {}

  MoleculeImages make() {
    for (u32 i = 0; i < seen_.size(); ++i) {
      if (seen_[i]) continue;
      walkFrom(i);
      join();
      bring();
    }
    return found_;
  }

private:
  // task(j) for the particles bonded to i.
  template <class Task>
  void forBonded(u32 i, const Task& task) const {
    for (i64 k = neighbours_.start[i]; k < neighbours_.start[i + 1]; ++k) task(neighbours_.other[k]);
  }

  // The molecule of a particle, and the images that following its bonds gives.
  void walkFrom(u32 i) {
    molecule_.assign(1, i);
    seen_[i] = true;
    walked_[i] = image_[i];
    for (std::size_t k = 0; k < molecule_.size(); ++k) {
      const u32 here = molecule_[k];
      forBonded(here, [&](u32 there) {
        if (seen_[there]) return;
        seen_[there] = true;
        walked_[there] = nearestImage(box_, position_[here], walked_[here], position_[there], sheared_);
        molecule_.push_back(there);
      });
    }
  }

  // Either end may be the one that looks for the other's nearest image: half a box away there are two.
  template <class Images>
  bool whole(const Images& image) const {
    bool fits = true;
    for (const u32 i : molecule_)
      forBonded(i, [&](u32 j) {
        fits = fits && (nearestImage(box_, position_[i], image[i], position_[j], sheared_) == image[j] ||
                        nearestImage(box_, position_[j], image[j], position_[i], sheared_) == image[i]);
      });
    return fits;
  }

  void join() {
    if (molecule_.size() == 1 || whole(image_)) return;
    const bool possible = whole(walked_);
    ++(possible ? found_.mended : found_.endless);
    if (!possible && given_) return;
    for (const u32 i : molecule_) image_[i] = walked_[i];
  }

  // To where images can be counted.
  void bring() {
    const auto counts = [](const Image& image) {
      return std::all_of(image.begin(), image.end(),
                         [](i32 boxes) { return boxes >= -farthestImage && boxes < farthestImage; });
    };
    if (std::all_of(molecule_.begin(), molecule_.end(), [&](u32 i) { return counts(image_[i]); })) return;
    ++found_.distant;
    const Image origin = image_[molecule_.front()];
    for (const u32 i : molecule_)
      for (int axis = 0; axis < 3; ++axis) image_[i][axis] -= origin[axis];
  }

  const Box& box_;
  bool given_;
  int sheared_;
  const Coordinates* position_;
  Image* image_;
  Neighbours neighbours_;
  std::vector<Image> walked_;
  std::vector<bool> seen_;
  std::vector<u32> molecule_;  // that one is at
  MoleculeImages found_;
};

}  // namespace

Image nearestImage(const Box& box, const Coordinates& here, const Image& image, const Coordinates& there, int sheared) {
  Image nearest{};
  for (int axis = 0; axis < 3; ++axis)
    if (box.periodic[axis])
      nearest[axis] = image[axis] + crossings(here[axis], there[axis]);
    else if (axis == sheared)  // of the box alone
      nearest[axis] = image[axis] + crossings(here[axis] << 1, there[axis] << 1);
  return nearest;
}

std::vector<std::string> MoleculeImages::warnings(const std::string& file) const {
  const auto molecules = [](i64 count) { return fmt::format("{} molecule{}", count, count == 1 ? "" : "s"); };
  std::vector<std::string> all;
  if (mended > 0)
    all.push_back(fmt::format("{}: the images of {} tear bonds (unwrapped, their ends are more than half the box "
                              "apart): they were set anew, from each molecule's first particle along the bonds",
                              file, molecules(mended)));
  if (endless > 0)
    all.push_back(fmt::format("{}: {} bonded to periodic images of itself, so no images make such a molecule whole: "
                              "its unwrapped positions and radius of gyration mean little",
                              file, molecules(endless) + (endless == 1 ? " is" : " are each")));
  if (distant > 0)
    all.push_back(fmt::format("{}: the images of {}, or lone particles, are beyond {} to {}, as far as they are "
                              "counted: they start anew at 0",
                              file, molecules(distant), -farthestImage, farthestImage - 1));
  return all;
}

MoleculeImages makeWhole(HostParticles& particles, const Box& box, i64 first, std::size_t firstBond, bool given,
                         int sheared) {
  MoleculeImages found = Molecules(particles, box, first, firstBond, given, sheared).make();
  if (!given) found.mended = 0;  // there was nothing to mend
  return found;
}

}  // namespace mesowarp
