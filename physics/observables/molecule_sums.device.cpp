// A molecule's sums are integers, in units that follow from the largest distance of all: they have no order, and ranks
// add theirs up. Distances are from the particle of the lowest tag, whose place all ranks learn first. Sums over
// molecules, which every rank has all of, are exact as well (state/exact_sums.hpp).
//
// 200,000 chains of ten beads on the host (twelve numbers of each copied, 24 MB, then two loops) took 18 ms of a sample
// on an H200, as long as 35 steps; here what is added to molecules is 24 million atomic operations, and on
// one rank nothing but sums goes to the host.
#include "physics/observables/molecule_sums.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "grid/bin_adds.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::observables {
namespace {

using Words = DeviceArray<i64>;
constexpr int channels = MoleculeShapes::width;  // m d, e d (three each), m d d (six)

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

// From sums to lengths.
struct ShapesOf {
  InMolecules in;
  Words sums;
  DeviceArray<double> numbers;
  double scale, scale2;

  KOKKOS_INLINE_FUNCTION void operator()(int m) const {
    const std::size_t at = channels * static_cast<std::size_t>(m);
    const double mass = in.table.all(m);
    double mean[3];
    for (int a = 0; a < 3; ++a) {
      mean[a] = static_cast<double>(sums(at + a)) / scale / mass;
      numbers(at + a) = static_cast<double>(in.first(3 * static_cast<std::size_t>(m) + a)) * in.tick[a] + mean[a];
      numbers(at + 3 + a) = static_cast<double>(sums(at + 3 + a)) / scale;
    }
    for (int c = 0; c < 6; ++c) {
      const int a = c < 3 ? c : c < 5 ? 0 : 1, b = c < 3 ? c : c == 3 ? 1 : 2;
      numbers(at + 6 + c) = static_cast<double>(sums(at + 6 + c)) / scale2 / mass - mean[a] * mean[b];
    }
  }
};

struct ChainOf {
  DeviceArray<double> numbers;
  DeviceArray<i32> linear;

  KOKKOS_INLINE_FUNCTION ChainSums operator()(int m) const {
    const double* const e = numbers.data() + channels * static_cast<std::size_t>(m) + 3;
    const double* const g = e + 3;
    ChainSums of;
    of.rg2 = g[0] + g[1] + g[2], of.rg = of.rg2 > 0.0 ? ::sqrt(of.rg2) : 0.0;
    const double products = g[0] * g[1] + g[1] * g[2] + g[2] * g[0] - g[3] * g[3] - g[4] * g[4] - g[5] * g[5];
    if (of.rg2 > 0.0) of.anisotropy = 1.0 - 3.0 * products / (of.rg2 * of.rg2);
    if (linear(m) == 0) return of;
    of.linear = 1.0, of.re2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2], of.re = ::sqrt(of.re2);
    return of;
  }
};

struct CountChains {
  ChainOf chains;
  int bins;
  double perLength;
  static constexpr int held = 0;

  KOKKOS_INLINE_FUNCTION void count(double length, int from, const BinAdder& adder) const {
    const double at = length * perLength;
    if (at < static_cast<double>(bins)) adder.add(from + static_cast<int>(at), 0, 1);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int m, const BinAdder& adder) const {
    const ChainSums of = chains(m);
    if (of.linear > 0.0) count(of.re, 0, adder);
    count(of.rg, bins, adder);
  }
};

struct CopyCentres {
  DeviceArray<double> numbers, centres;
  KOKKOS_INLINE_FUNCTION void operator()(int m) const {
    for (int a = 0; a < 3; ++a)
      centres(3 * static_cast<std::size_t>(m) + a) = numbers(channels * static_cast<std::size_t>(m) + a);
  }
};

struct CentreMoved {
  DeviceArray<double> numbers, origin, mass;
  Vec3<double> scale;
  KOKKOS_INLINE_FUNCTION MovedSums operator()(int m) const {
    MovedSums sums;
    for (int a = 0; a < 3; ++a) {
      const double d = numbers(channels * static_cast<std::size_t>(m) + a) * scale[a] -
                       origin(3 * static_cast<std::size_t>(m) + a) / scale[a];
      sums.squared[a] = d * d, sums.moved[a] = d, sums.weighted[a] = mass(m) * d;
    }
    return sums;
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
  copyToDevice(view.data(), host.data(), host.extent(0) * sizeof *host.data());
}

void setZero(Words& words, const std::string& label, std::size_t count) {
  if (words.extent(0) == count)
    clearOn(Execution(), words);
  else
    words = Words(label, count);
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
  shift.reserve(parts.shift.size());
  for (const auto& by : parts.shift) shift.push_back({by[0], by[1], by[2]});
  table.shift = toDevice<Vec3<i32>>("shift of tag", shift);
  table.mass = massesOnDevice(box.masses);
  table.all = massesOnDevice(parts.mass);
  table.linear = toDevice<i32>("linear molecules", parts.linear);
  return table;
}

void findShapes(const MeasuredParticles& p, const MeasuredBox& box, const MoleculeTable& table, bool shapes,
                MoleculeShapes& to) {
  const auto molecules = static_cast<std::size_t>(table.molecules);
  const Vec3<double> tick{box.box.tick(0, unwrappedBits), box.box.tick(1, unwrappedBits),
                          box.box.tick(2, unwrappedBits)};
  setZero(to.first, "first of molecules", 3 * molecules);
  setZero(to.sums, "sums of molecules", channels * molecules);
  if (to.numbers.extent(0) != channels * molecules)
    to.numbers = DeviceArray<double>("shapes of molecules", channels * molecules);
  const InMolecules in{table, p.tag, p.species, p.place, p.image, to.first, tick};
  Kokkos::parallel_for("first of molecules", Range(0, p.count), FirstPlaces{in});
  sumOverRanks(in.first, box.ranks);
  double farthest = 0.0;
  Kokkos::parallel_reduce("farthest of molecules", Range(0, p.count), Farthest{in}, Kokkos::Max<double>(farthest));
  farthest = std::max(farthest, 0.0);
  if (box.ranks) box.ranks->largest(&farthest, 1);
  const double heaviest = std::max(1.0, *std::max_element(box.masses.begin(), box.masses.end()));
  const double scale = unitFor(farthest * heaviest, table.longest),
               scale2 = unitFor(farthest * farthest * heaviest, table.longest);
  Kokkos::parallel_for("sums of molecules", Range(0, p.count), AddMolecules{in, to.sums, scale, scale2, shapes});
  sumOverRanks(to.sums, box.ranks);
  Kokkos::parallel_for("shapes of molecules", Range(0, table.molecules),
                       ShapesOf{in, to.sums, to.numbers, scale, scale2});
}

ChainSizes chainSizes(const MoleculeShapes& shapes, const MoleculeTable& table, int bins, double rMax) {
  const ChainOf chains{shapes.numbers, table.linear};
  const DeviceArray<i64> counts("counts of chains", 2 * static_cast<std::size_t>(bins));
  addToBins("sizes of chains", CountChains{chains, bins, static_cast<double>(bins) / rMax}, counts, 1, table.molecules);
  const auto host = hostCopy(counts);
  return {exactSums<ChainSums>("sums of chains", table.molecules, chains, nullptr),
          std::vector<i64>(host.data(), host.data() + host.extent(0))};
}

DeviceArray<double> centresOf(const MoleculeShapes& shapes, const MoleculeTable& table) {
  const DeviceArray<double> centres("centres of molecules", 3 * static_cast<std::size_t>(table.molecules));
  Kokkos::parallel_for("centres of molecules", Range(0, table.molecules), CopyCentres{shapes.numbers, centres});
  return centres;
}

MovedSums centresMoved(const MoleculeShapes& now, const DeviceArray<double>& origin, const MoleculeTable& table,
                       const Vec3<double>& scale) {
  return exactSums<MovedSums>("displacements of molecules", table.molecules,
                              CentreMoved{now.numbers, origin, table.all, scale}, nullptr);
}

}  // namespace mesowarp::observables
