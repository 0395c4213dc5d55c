// A molecule's sums are integers, in units that follow from the largest distance of all: they have no order, and ranks
// add theirs up. Distances are from the particle of the lowest tag, whose place all ranks learn first.
#include "physics/observables/molecule_sums.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_copy.hpp"

namespace mesowarp::observables {
namespace {

using Words = Kokkos::View<i64*, Memory>;
constexpr int channels = 12;  // m d, e d (three each), m d d (six)

struct InMolecules {
  MoleculeTable table;
  DeviceArray<u32> tag, species;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<Vec3<i32>> image;
  Words first;  // of each molecule, three: the unwrapped place of its lowest tag
  Vec3<double> tick;

  KOKKOS_INLINE_FUNCTION i64 at(int i, int a) const {
    return unwrapped(place(i)[a], image(i)[a] + table.shift(tag(i))[a]);
  }
  KOKKOS_INLINE_FUNCTION Vec3<double> apart(int i) const {
    const i64* const from = first.data() + 3 * static_cast<std::size_t>(table.moleculeOf(tag(i)));
    Vec3<double> d;
    for (int a = 0; a < 3; ++a)
      d[a] = tick[a] * static_cast<double>(static_cast<i64>(static_cast<u64>(at(i, a)) - static_cast<u64>(from[a])));
    return d;
  }
};

struct FirstPlaces {
  InMolecules in;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const i32 m = in.table.moleculeOf(in.tag(i));
    if (m < 0 || (in.table.end(in.tag(i)) & 4) == 0) return;
    for (int a = 0; a < 3; ++a) in.first(3 * static_cast<std::size_t>(m) + a) = in.at(i, a);
  }
};

struct Farthest {
  InMolecules in;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    if (in.table.moleculeOf(in.tag(i)) < 0) return;
    const Vec3<double> d = in.apart(i);
    for (int a = 0; a < 3; ++a) {
      const double size = d[a] < 0.0 ? -d[a] : d[a];
      largest = size > largest ? size : largest;
    }
  }
};

struct AddMolecules {
  InMolecules in;
  Words sums;
  double scale, scale2;  // of lengths; of their squares
  bool shapes;

  KOKKOS_INLINE_FUNCTION void add(std::size_t at, double value) const {
    Kokkos::atomic_add(&sums(at), static_cast<i64>(::llrint(value)));
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const i32 m = in.table.moleculeOf(in.tag(i));
    if (m < 0) return;
    const Vec3<double> d = in.apart(i);
    const double mass = in.table.mass(in.species(i));
    const i32 end = in.table.end(in.tag(i)) & 3;
    const std::size_t at = channels * static_cast<std::size_t>(m);
    for (int a = 0; a < 3; ++a) {
      add(at + a, mass * d[a] * scale);
      if (end != 0) add(at + 3 + a, (end == 2 ? d[a] : -d[a]) * scale);
    }
    if (!shapes) return;
    for (int c = 0; c < 6; ++c) {
      const int a = c < 3 ? c : c < 5 ? 0 : 1, b = c < 3 ? c : c == 3 ? 1 : 2;
      add(at + 6 + c, mass * d[a] * d[b] * scale2);
    }
  }
};

// 2^e so that `number` of at most this size add up to less than 2^62.
double unitFor(double size, double number) {
  if (!(size > 0.0)) return 1.0;
  return std::ldexp(1.0, 61 - static_cast<int>(std::ceil(std::log2(size * number))));
}

template <class View>
void sumOverRanks(const View& view, const comm::Communicator* ranks) {
  if (!ranks || view.extent(0) == 0) return;
  const auto host = hostCopy(view);
  ranks->sum(host.data(), static_cast<int>(host.extent(0)));
  Kokkos::deep_copy(view, host);
}

}  // namespace

MoleculeTable moleculeTable(const MoleculeParts& parts, const MeasuredBox& box) {
  MoleculeTable table;
  table.molecules = parts.molecules, table.longest = parts.longest;
  table.moleculeOf = toDevice<i32>("molecule of tag", parts.moleculeOf);
  std::vector<i32> end(parts.end.size());
  for (std::size_t t = 0; t < end.size(); ++t) end[t] = parts.end[t] < 0 ? 1 : parts.end[t] > 0 ? 2 : 0;
  for (const u32 tag : parts.first) end[tag] |= 4;
  table.end = toDevice<i32>("end of tag", end);
  std::vector<Vec3<i32>> shift;
  for (const auto& by : parts.shift) shift.push_back({by[0], by[1], by[2]});
  table.shift = toDevice<Vec3<i32>>("shift of tag", shift);
  table.mass = massesOnDevice(box.masses);
  return table;
}

std::vector<MoleculeShape> moleculeShapes(const MeasuredParticles& p, const MeasuredBox& box,
                                          const MoleculeTable& table, const MoleculeParts& parts, bool shapes) {
  const auto molecules = static_cast<std::size_t>(table.molecules);
  const Vec3<double> tick{box.box.tick(0, unwrappedBits), box.box.tick(1, unwrappedBits),
                          box.box.tick(2, unwrappedBits)};
  const InMolecules in{table, p.tag, p.species, p.place, p.image, Words("first of molecules", 3 * molecules), tick};
  Kokkos::parallel_for("first of molecules", Range(0, p.count), FirstPlaces{in});
  sumOverRanks(in.first, box.ranks);
  double farthest = 0.0;
  Kokkos::parallel_reduce("farthest of molecules", Range(0, p.count), Farthest{in}, Kokkos::Max<double>(farthest));
  farthest = std::max(farthest, 0.0);
  if (box.ranks) box.ranks->largest(&farthest, 1);
  const double heaviest = std::max(1.0, *std::max_element(box.masses.begin(), box.masses.end()));
  const double scale = unitFor(farthest * heaviest, table.longest),
               scale2 = unitFor(farthest * farthest * heaviest, table.longest);
  const Words sums("sums of molecules", channels * molecules);
  Kokkos::parallel_for("sums of molecules", Range(0, p.count), AddMolecules{in, sums, scale, scale2, shapes});
  sumOverRanks(sums, box.ranks);
  const auto s = hostCopy(sums), first = hostCopy(in.first);
  std::vector<MoleculeShape> all(molecules);
  for (std::size_t m = 0; m < molecules; ++m) {
    std::array<double, 3> mean{};
    for (std::size_t a = 0; a < 3; ++a) {
      mean[a] = static_cast<double>(s(channels * m + a)) / scale / parts.mass[m];
      all[m].centre[a] = static_cast<double>(first(3 * m + a)) * tick[static_cast<int>(a)] + mean[a];
      all[m].endToEnd[a] = static_cast<double>(s(channels * m + 3 + a)) / scale;
    }
    for (std::size_t c = 0; c < 6; ++c) {
      const std::size_t a = c < 3 ? c : c < 5 ? 0 : 1, b = c < 3 ? c : c == 3 ? 1 : 2;
      all[m].gyration[c] = static_cast<double>(s(channels * m + 6 + c)) / scale2 / parts.mass[m] - mean[a] * mean[b];
    }
  }
  return all;
}

}  // namespace mesowarp::observables
