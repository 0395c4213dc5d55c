#include "physics/observables/measured_particles.hpp"

#include <stdexcept>

#include "device/host_copy.hpp"
#include "state/box_population.hpp"
#include "state/field_request.hpp"

namespace mesowarp::observables {
namespace {

template <class P>
struct SeePlaces {
  using Coord = typename P::Coord;
  static constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<u32> species;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    place(i) = {static_cast<u64>(p.x) << up, static_cast<u64>(p.y) << up, static_cast<u64>(p.z) << up};
    species(i) = velocity(i).species;
  }
};

// Behind SeePlaces.
template <class P>
struct SeeWhole {
  using Coord = typename P::Coord;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<u32>> low;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> packedImage;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<Vec3<i32>> image;
  Vec3<bool> periodic;
  ShearFaces<Coord> faces;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    const Vec3<Coord> at{p.x, p.y, p.z};
    const Vec3<Coord> from = built(i);
    Vec3<i32> crossed = unpackImage(packedImage(i));
    Vec3<u64> whole = place(i);
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic[axis]) crossed[axis] += crossings(from[axis], at[axis]);
      if constexpr (P::splitMaster) whole[axis] |= low(i)[axis];
    }
    if (faces.on) unshear(whole, crossed);
    place(i) = whole;
    image(i) = crossed;
  }
  // Unwrapped places of a sheared box (core/shear.hpp): where the images that they are in have gone to. Along the
  // gradient the period is two boxes; in which of them a particle is, the image's number says.
  KOKKOS_INLINE_FUNCTION void unshear(Vec3<u64>& whole, Vec3<i32>& crossed) const {
    Vec3<Coord> at{static_cast<Coord>(whole.x >> up), static_cast<Coord>(whole.y >> up),
                   static_cast<Coord>(whole.z >> up)};
    const Vec3<u64> rest{whole.x - (static_cast<u64>(at.x) << up), whole.y - (static_cast<u64>(at.y) << up),
                         whole.z - (static_cast<u64>(at.z) << up)};
    faces.putBack(at, crossed);
    for (int axis = 0; axis < 3; ++axis) whole[axis] = (static_cast<u64>(at[axis]) << up) + rest[axis];
    constexpr int fine = 64 - unwrappedBits;
    const u64 offset = (static_cast<u64>(static_cast<i64>(faces.boxes)) << unwrappedBits) +
                       (static_cast<u64>(faces.offset) << up >> fine);
    const i32 images = crossed[faces.gradient];
    const u64 along = static_cast<u64>(unwrapped(whole[faces.flow], crossed[faces.flow])) +
                      static_cast<u64>(static_cast<i64>(images)) * offset;
    whole[faces.flow] = along << fine, crossed[faces.flow] = static_cast<i32>(static_cast<i64>(along) >> unwrappedBits);
    if ((images & 1) != 0) whole[faces.gradient] += u64{1} << 63;
    crossed[faces.gradient] = images >> 1;
  }

private:
  static constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
};

template <class T>
void reserve(DeviceArray<T>& array, const char* label, int count) {
  if (array.extent(0) < static_cast<std::size_t>(count))
    array = DeviceArray<T>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing),
                           static_cast<std::size_t>(count));
}

template <class P>
void seeBox(BoxPopulation<P>& box, Seen seen, MeasuredParticles& to) {
  const auto& arrays = box.arrays();
  const StateView<P> state = box.view(true);
  to.count = arrays.count, to.stored = arrays.count + (seen == Seen::pairs ? arrays.ghosts : 0);
  to.tag = arrays.tag->current;
  if (seen == Seen::velocities) {
    to.velocities = SeenVelocities(box.observedVelocity().data(), state.velocity.data());
    return;
  }
  reserve(to.place, "measured places", arrays.capacity), reserve(to.species, "measured species", arrays.capacity);
  Kokkos::parallel_for("see places", Range(0, to.stored),
                       SeePlaces<P>{state.position, state.velocity, to.place, to.species});
  to.list = box.list().table();
  if (seen == Seen::pairs) return;
  const auto& periodic = box.settings().box.periodic;
  reserve(to.image, "measured images", arrays.capacity);
  Kokkos::parallel_for("see whole", Range(0, to.count),
                       SeeWhole<P>{state.position,
                                   box.observedLow(),
                                   arrays.built->current,
                                   arrays.image->current,
                                   to.place,
                                   to.image,
                                   {periodic[0], periodic[1], periodic[2]},
                                   box.facesNow()});
}

template <class P>
MeasuredBox describe(const BoxPopulation<P>& box) {
  const BoxSettings& s = box.settings();
  bool excludes = false;
  for (const i32 one : s.excludes) excludes = excludes || one != 0;
  return {s.box, s.cutoff, excludes, s.masses, s.frozen, box.ranks(), box.total()};
}

// task(box) with the population as what it is; false: it is in no box.
template <class Task>
bool withBox(Population& population, const Task& task) {
  if (auto* one = dynamic_cast<BoxPopulation<MixedPrecision>*>(&population)) return task(*one), true;
  if (auto* one = dynamic_cast<BoxPopulation<SinglePrecision>*>(&population)) return task(*one), true;
  if (auto* one = dynamic_cast<BoxPopulation<DoublePrecision>*>(&population)) return task(*one), true;
  return false;
}
[[noreturn]] void refuse() { throw std::logic_error("a measure of what is in no box"); }

struct MarkMembers {
  Marks marks;
  DeviceArray<u32> species;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { species(i) += marks(i); }
};

struct CountSets {
  DeviceArray<u32> species, sets;
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& packed) const {  // one set a call
    packed += static_cast<i64>(sets(species(i)) >> which & 1u) & static_cast<i64>(sets(species(i)) >> other & 1u);
  }
  int which, other;
};

}  // namespace

std::optional<MeasuredBox> measuredBox(const Population& population) {
  std::optional<MeasuredBox> found;
  withBox(const_cast<Population&>(population), [&](auto& box) { found = describe(box); });
  return found;
}

void see(Population& population, Seen seen, MeasuredParticles& to) {
  if (!withBox(population, [&](auto& box) { seeBox(box, seen, to); })) refuse();
}

void markMembers(Population& population, Seen seen, u32 first, u32 second, u32 speciesCount, MeasuredParticles& to) {
  const auto mark = [&](auto& box) {
    const auto* groups = static_cast<const u32*>(fieldOf(box.fields(), "groups").data(false));
    const Marks marks{groups, first, second, speciesCount};
    if (seen == Seen::velocities) return to.velocities.mark(marks);
    Kokkos::parallel_for("mark members", Range(0, to.stored), MarkMembers{marks, to.species});
  };
  if (!withBox(population, mark)) refuse();
}

DeviceArray<u32> speciesSets(const std::vector<bool>& first, const std::vector<bool>& second) {
  std::vector<u32> words(first.size());
  for (std::size_t s = 0; s < words.size(); ++s) words[s] = (first[s] ? 1u : 0u) | (second[s] ? 2u : 0u);
  return toDevice<u32>("sets of species", words);
}

DeviceArray<double> massesOnDevice(const std::vector<double>& masses) {
  return toDevice<double>("measured masses", masses);
}

SetSizes sizesOf(const MeasuredParticles& particles, const DeviceArray<u32>& sets, const comm::Communicator* ranks) {
  i64 counts[3] = {};
  constexpr int pairs[3][2] = {{0, 0}, {1, 1}, {0, 1}};
  for (int k = 0; k < 3; ++k)
    Kokkos::parallel_reduce("sizes of sets", Range(0, particles.count),
                            CountSets{particles.species, sets, pairs[k][0], pairs[k][1]}, counts[k]);
  if (ranks) ranks->sum(counts, 3);
  return {counts[0], counts[1], counts[2]};
}

void addMeasuredField(Population& population, const std::string& name, int words) {
  if (!withBox(population, [&](auto& box) { box.parkedFields().add(name, words); })) refuse();
}

MeasuredField measuredField(Population& population, const std::string& name) {
  MeasuredField found;
  withBox(population, [&](auto& box) { found = {box.parkedFields().words(name), box.parkedFields().places()}; });
  if (!found.words) refuse();
  return found;
}

void settleMeasuredFields(Population& population) {
  if (!withBox(population, [&](auto& box) { box.parkedFields().settle(box.count()); })) refuse();
}

}  // namespace mesowarp::observables
