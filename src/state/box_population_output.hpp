// BoxPopulation: what leaves the device: snapshots, profiles, failures. Included by box_population_*.device.cpp.
// Behind step k the buffers `next` hold the state of step k.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "comm/tag_blocks.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "kernels/pairs/sheared_separation.hpp"
#include "state/bins/profile.hpp"
#include "state/box_population.hpp"

namespace mesowarp {

// A field's rows, of particles as they are stored, in the order of their tags, of which these begin with `first`.
template <class Tags>
std::vector<std::byte> inOrderOfTags(const io::OwnField& field, const Tags& tag, u32 first) {
  std::vector<std::byte> ordered(field.data.size());
  for (std::size_t i = 0; i * field.rowBytes < field.data.size(); ++i)
    std::memcpy(&ordered[(tag(i) - first) * field.rowBytes], &field.data[i * field.rowBytes], field.rowBytes);
  return ordered;
}

struct FindTags {
  DeviceArray<u32> tag;
  DeviceArray<int> rows;
  u32 first, count;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& before, bool final) const {
    if (tag(i) - first >= count) return;
    if (final && rows.extent(0) > 0) rows(before) = i;
    ++before;
  }
};
template <class T>
struct CopyRows {
  DeviceArray<T> from, to;
  DeviceArray<int> rows;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { to(i) = from(rows(i)); }
};
// On the host: these rows of an array, if it has any.
template <class T>
auto rowsToHost(const DeviceArray<T>& from, const DeviceArray<int>& rows) {
  const DeviceArray<T> to(Kokkos::view_alloc(from.label(), Kokkos::WithoutInitializing),
                          from.extent(0) > 0 ? rows.extent(0) : 0);
  Kokkos::parallel_for("rows for the host", Range(0, static_cast<int>(to.extent(0))), CopyRows<T>{from, to, rows});
  return hostCopy(to);
}
inline std::vector<std::byte> pick(const std::vector<std::byte>& all, std::size_t rowBytes,
                                   const HostArray<int>& rows) {
  std::vector<std::byte> some(rows.extent(0) * rowBytes);
  for (std::size_t i = 0; i < rows.extent(0); ++i)
    std::memcpy(&some[i * rowBytes], &all[static_cast<std::size_t>(rows(i)) * rowBytes], rowBytes);
  return some;
}

// The terms of so many members that fields have (physics/topology/term.hpp), each once, as the tags of its members in
// ascending order of the terms; on several ranks those whose first member's tag is in the rank's block.
template <class P>
std::vector<u32> connectedTags(const BoxPopulation<P>& population, const std::string& name, std::size_t members) {
  const auto& arrays = population.arrays();
  const auto* ranks = population.ranks();
  const auto partners = arrays.fields.find(name + "_partner"), types = arrays.fields.find(name + "_type");
  if (!partners || !types) return {};
  const auto tag = hostCopy(arrays.tag->current);
  const auto n = static_cast<std::size_t>(arrays.count);
  const auto partner = partners->toHost(n), type = types->toHost(n);
  const std::size_t width = types->width(), others = members - 1;
  const i64 parts = ranks ? ranks->size() : 1, all = population.total();
  std::vector<std::vector<std::array<u32, 4>>> ofRank(static_cast<std::size_t>(parts));
  for (std::size_t slot = 0; slot < n * width; ++slot) {
    std::array<u32, 4> term{tag(slot / width), 0, 0, 0};
    std::memcpy(&term[1], &partner[slot * others * sizeof(u32)], others * sizeof(u32));
    i32 word = 0;
    std::memcpy(&word, &type[slot * sizeof(i32)], sizeof(word));
    if (term[1] == noBond || word % static_cast<i32>(members) != 0) continue;
    i64 owner = term[0] * parts / all;
    while (all * (owner + 1) / parts <= term[0]) ++owner;
    ofRank[static_cast<std::size_t>(owner)].push_back(term);
  }
  auto terms = ranks ? ranks->toEach(ofRank) : std::move(ofRank[0]);
  std::sort(terms.begin(), terms.end());
  std::vector<u32> tags;
  for (const auto& term : terms) tags.insert(tags.end(), term.begin(), term.begin() + members);
  return tags;
}

// Of this rank's particles those of some tags, as they are stored.
template <class P>
DeviceArray<int> BoxPopulation<P>::rowsOf(const TagRange& some) const {
  FindTags find{arrays_.tag->current, {}, static_cast<u32>(some.first), static_cast<u32>(some.count)};
  int found = 0;
  Kokkos::parallel_scan("find tags", Range(0, arrays_.count), find, found);
  find.rows = DeviceArray<int>("rows of tags", static_cast<std::size_t>(found));
  Kokkos::parallel_scan("find tags", Range(0, arrays_.count), find, found);
  return find.rows;
}

// some: null: all, and all that is known of them; else places, images and what is shown.
template <class P>
io::Snapshot BoxPopulation<P>::snapshotOf(i64 step, const TagRange* some) const {
  const StateView<P> state = view(true);
  const DeviceArray<int> rows = some ? rowsOf(*some) : DeviceArray<int>();
  const auto onHost = [&](const auto& array) { return some ? rowsToHost(array, rows) : hostCopy(array); };
  const auto position = onHost(state.position);
  const auto low = onHost(observedLow_);
  const auto tag = onHost(arrays_.tag->current);
  const auto image = onHost(arrays_.image->current);
  const auto built = onHost(arrays_.built->current);
  const std::size_t stored = static_cast<std::size_t>(arrays_.count), n = some ? rows.extent(0) : stored;
  const u32 first = some ? static_cast<u32>(some->first) : 0;
  io::Snapshot s;
  s.total = total();
  s.step = step;
  s.time = static_cast<double>(step) * settings_.timestep;
  s.box = settings_.box.size;
  for (int axis = 0; axis < 3; ++axis) s.periodic[axis] = repeats(axis);
  s.first = first;
  s.tag.resize(n), s.position.resize(3 * n), s.image.resize(3 * n);
  const ShearFaces<Coord> faces = facesNow();
  if (sheared()) {
    s.gradient = faces.gradient;
    s.slide[static_cast<std::size_t>(faces.flow)] =
        settings_.box.size[faces.flow] *
        (faces.boxes + std::ldexp(static_cast<double>(faces.offset), -ShearFaces<Coord>::bits));
  }
  const auto rowOf = [&](i64 i) {  // ordered by tags, now or below
    return ranks() ? static_cast<std::size_t>(i) : static_cast<std::size_t>(tag(i) - first);
  };
  std::vector<int> beyond(sheared() ? n : 0);  // boxes put back across the gradient, of each row
  hostLoop("snapshot", 0, static_cast<i64>(n), [&](i64 i) {
    const std::size_t t = rowOf(i);
    const auto p = position(i);
    Vec3<Coord> at{p.x, p.y, p.z};
    Vec3<i32> crossed = unpackImage(image(i));
    for (int axis = 0; axis < 3; ++axis)
      if (settings_.box.periodic[axis]) crossed[axis] += crossings(built(i)[axis], at[axis]);
    if (sheared()) beyond[t] = faces.putBack(at, crossed);
    s.tag[t] = tag(i);
    for (int axis = 0; axis < 3; ++axis) {
      double x = toLength(settings_.box, axis, at[axis]);
      if (P::splitMaster) x += static_cast<double>(low(i)[axis]) * settings_.box.tick(axis, 64);
      s.position[3 * t + axis] = x < settings_.box.size[axis] ? x : std::nextafter(settings_.box.size[axis], 0.0);
      s.image[3 * t + axis] = crossed[axis];
    }
  });
  if (!some) addMotion(s, rowOf, beyond);
  for (const auto& field : arrays_.fields.all()) {
    if (!field->has(shown) && (some || !field->has(hashed))) continue;
    auto data = field->toHost(stored, field->has(rewritten));
    if (some) data = pick(data, field->rowBytes(), hostCopy(rows));
    s.own.push_back({field->name(), field->rowBytes(), field->elementBytes(), field->has(shown), std::move(data)});
  }
  if (!some) addTopology(s, rowOf);
  if (ranks())
    orderByTags(s, some);
  else
    for (io::OwnField& own : s.own) own.data = inOrderOfTags(own, tag, first);
  return s;
}

// Species, masses, velocities and forces. beyond: of each row, how many boxes across the gradient it was put back.
template <class P>
template <class RowOf>
void BoxPopulation<P>::addMotion(io::Snapshot& s, const RowOf& rowOf, const std::vector<int>& beyond) const {
  const auto pairVelocity = hostCopy(view(true).velocity);
  const auto velocity = hostCopy(observedVelocity_);
  const auto force = hostCopy(observedForce_);
  const auto mass = hostCopy(mass_);
  const std::size_t n = static_cast<std::size_t>(arrays_.count);
  const ShearFaces<Coord> faces = facesNow();
  s.species.resize(n), s.mass.resize(n);
  s.velocity.resize(observed_.velocities ? 3 * n : 0);
  s.force.resize(observed_.forces ? 3 * n : 0);
  hostLoop("snapshot", 0, arrays_.count, [&](i64 i) {
    const std::size_t t = rowOf(i);
    s.species[t] = static_cast<std::int32_t>(pairVelocity(i).species);
    s.mass[t] = static_cast<double>(mass(pairVelocity(i).species));
    for (int axis = 0; axis < 3; ++axis) {
      if (!s.velocity.empty()) s.velocity[3 * t + axis] = static_cast<double>(velocity(i)[axis]);
      if (!s.force.empty()) s.force[3 * t + axis] = static_cast<double>(force(i)[axis]);
    }
    if (!beyond.empty() && beyond[t] != 0 && !s.velocity.empty())
      s.velocity[3 * t + faces.flow] -= beyond[t] * faces.speed;
  });
}

// What is joined to what.
template <class P>
template <class RowOf>
void BoxPopulation<P>::addTopology(io::Snapshot& s, const RowOf& rowOf) const {
  s.bonds = bondedTags();
  s.angles = connectedTags(*this, "angle", 3), s.dihedrals = connectedTags(*this, "dihedral", 4);
  const auto field = arrays_.fields.find("molecule");
  if (!field) return;
  const std::size_t n = static_cast<std::size_t>(arrays_.count);
  s.molecule.resize(n);
  const auto stored = field->toHost(n);
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(&s.molecule[rowOf(static_cast<i64>(i))], &stored[i * sizeof(u32)], sizeof(u32));
}

// From the rows of this rank's particles to those of its block of all tags, or of some, in whole units.
template <class P>
void BoxPopulation<P>::orderByTags(io::Snapshot& s, const TagRange* some) const {
  const std::size_t n = s.tag.size();
  const i64 first = some ? some->first : 0, count = some ? some->count : total();
  std::vector<u32> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = s.tag[i] - static_cast<u32>(first);
  const comm::TagBlocks blocks(*ranks(), count, places.data(), static_cast<i64>(n), some ? some->unit : 1);
  s.first = first + blocks.first();
  const auto gather = [&](auto& values, std::size_t width) {
    std::remove_reference_t<decltype(values)> ordered(static_cast<std::size_t>(blocks.count()) * width);
    blocks.gather(values.data(), width * sizeof(values[0]), ordered.data());
    values = std::move(ordered);
  };
  gather(s.tag, 1), gather(s.position, 3), gather(s.image, 3);
  for (io::OwnField& own : s.own) gather(own.data, own.rowBytes);
  if (some) return;
  gather(s.species, 1), gather(s.mass, 1);
  if (observed_.velocities) gather(s.velocity, 3);
  if (observed_.forces) gather(s.force, 3);
  if (arrays_.fields.find("molecule")) gather(s.molecule, 1);
}

// Pairs one after the other, in ascending order. Lower tags are close to dense: a place for each, then few are sorted.
inline std::vector<u32> inOrder(const std::vector<std::array<u32, 2>>& pairs) {
  std::vector<u32> tags(2 * pairs.size());
  if (pairs.empty()) return tags;
  const auto [least, most] = std::minmax_element(pairs.begin(), pairs.end());
  const u32 from = (*least)[0];
  std::vector<std::size_t> next((*most)[0] - from + 2, 0);
  for (const auto& pair : pairs) ++next[pair[0] - from + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const auto& pair : pairs) {
    std::size_t at = next[pair[0] - from]++;
    tags[2 * at] = pair[0];
    for (; at > 0 && tags[2 * at - 2] == pair[0] && tags[2 * at - 1] > pair[1]; --at)
      tags[2 * at + 1] = tags[2 * at - 1];
    tags[2 * at + 1] = pair[1];
  }
  return tags;
}

// Each bond once, as two tags, the lower one first, in ascending order; on several ranks those whose lower tag is in
// the rank's block.
template <class P>
std::vector<u32> BoxPopulation<P>::bondedTags() const {
  if (!arrays_.bondPartner) return {};
  const auto tag = hostCopy(arrays_.tag->current);
  const auto partner = hostCopy(arrays_.bondPartner->current);
  const std::size_t width = arrays_.bondPartner->width();
  const i64 parts = ranks() ? ranks()->size() : 1, all = total();
  std::vector<std::vector<std::array<u32, 2>>> ofRank(static_cast<std::size_t>(parts));
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(arrays_.count) * width; ++slot) {
    const u32 low = tag(slot / width);
    if (partner(slot) == noBond || partner(slot) < low) continue;
    i64 owner = low * parts / all;
    while (all * (owner + 1) / parts <= low) ++owner;
    ofRank[static_cast<std::size_t>(owner)].push_back({low, partner(slot)});
  }
  return inOrder(ranks() ? ranks()->toEach(ofRank) : std::move(ofRank[0]));
}

template <class P>
void BoxPopulation<P>::addProfile(const BinShape& shape, const BinWish& wish, BinTotals& totals) {
  const StateView<P> state = view(true);
  const ProfiledParticles<P> particles{{state.position, state.velocity, inverseMass_,
                                        Bins<Coord>::of(shape, settings_.box), facesNow(),
                                        BinnedSpecies::of(wish, arrays_.fields)},
                                       observedVelocity_,
                                       mass_};
  addSample(ProfileKernel<P>{particles}, arrays_.count, totals, ranks());
  if (wish.carried > 0) addShown(particles, wish.carried, totals);
  if (wish.stress)
    addFurther(particles, StressNumbers<P>{particles, virial_.data()},
               {wish.carried, stressChannels, arrays_.count, total()}, totals, ranks());
}

// The first `width` numbers of what is shown.
template <class P>
void BoxPopulation<P>::addShown(const ProfiledParticles<P>& particles, int width, BinTotals& totals) {
  FieldBase* field = nullptr;
  for (const auto& one : arrays_.fields.all())
    if (one->has(shown)) field = one.get();
  if (!field || field->width() < static_cast<std::size_t>(width))
    throw std::logic_error("a profile of what particles do not carry");
  const auto* values = static_cast<const Real*>(field->data(false));
  addFurther(particles, ShownNumbers<P>{particles, values, static_cast<int>(field->width()), width},
             {0, width, arrays_.count, total()}, totals, ranks());
}

template <class P>
std::optional<std::string> BoxPopulation<P>::failure() {
  int event = StepFlags::events;
  u64 first = StepFlags::none;
  for (int e = 0; e < StepFlags::events; ++e)
    if (flags().errors()(e) < first) event = e, first = flags().errors()(e);
  const u64 ofAll = ranks() ? ranks()->smallest(first) : first;
  if (ofAll == StepFlags::none) return bitsInDoubt();
  std::string text;
  if (first == ofAll)
    text = describe(static_cast<StepFlags::Event>(event), static_cast<i64>(first >> 32), static_cast<u32>(first));
  if (!ranks()) return text;
  const auto failed = ranks()->all(first == ofAll ? 1 : 0);
  const int rank = static_cast<int>(std::find(failed.begin(), failed.end(), 1) - failed.begin());
  return fmt::format("rank {}: {}", rank, ranks()->fromRank(rank, text));
}

// A neighbour list that was used for too long may have missed a pair, and which one, machines and ranks need not agree
// on.
template <class P>
std::optional<std::string> BoxPopulation<P>::bitsInDoubt() const {
  if (!settings_.bitwise) return std::nullopt;
  i64 dangerous = flags().dangerous()();
  if (ranks()) dangerous = ranks()->largest(dangerous);
  if (dangerous == 0) return std::nullopt;
  return fmt::format(
      "before the build of the neighbour list at step {} or an earlier one a particle had moved more than half the "
      "skin, so a pair may have been missed, and the bits would not be the same everywhere. Set neighbor.rebuild = "
      "\"displacement\", lower neighbor.every, or raise neighbor.skin.",
      builds().lastRebuild);
}

// From a particle to another one, as far as it is here; else 0.
template <class P>
double BoxPopulation<P>::apart(u32 tag, u32 other) const {
  const auto tags = hostCopy(arrays_.tag->current);
  const auto position = hostCopy(arrays_.position->current);
  int here = -1, there = -1;
  for (int i = arrays_.count + arrays_.ghosts - 1; i >= 0; --i) {
    if (tags(i) == tag) here = i;
    if (tags(i) == other) there = i;
  }
  if (here < 0 || there < 0) return 0.0;
  const auto tick = ticksOf<double, Coord>(settings_.box);
  const auto r = separation<double>(position(here), position(there), tick, facesNow());
  return std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
}

// Looks for the particle's nearest neighbour to tell an overlap from a step that is too large.
template <class P>
std::string BoxPopulation<P>::describe(StepFlags::Event event, i64 step, u32 tag) const {
  const auto tags = hostCopy(arrays_.tag->current);
  const auto position = hostCopy(arrays_.position->current);
  int self = 0;
  while (tags(self) != tag) ++self;
  double nearest = std::numeric_limits<double>::infinity();
  u32 other = tag;
  const auto tick = ticksOf<double, Coord>(settings_.box);
  for (int j = 0; j < arrays_.count; ++j) {
    if (j == self) continue;
    const auto r = backend::separation<double>(position(self), position(j), tick);
    const double d2 = r.x * r.x + r.y * r.y + r.z * r.z;
    if (d2 < nearest) nearest = d2, other = tags(j);
  }
  const auto p = position(self);
  const std::string where = fmt::format("particle {} at ({:.4g}, {:.4g}, {:.4g})", tag, toLength(settings_.box, 0, p.x),
                                        toLength(settings_.box, 1, p.y), toLength(settings_.box, 2, p.z));
  if (event == StepFlags::rangeLeft)
    return fmt::format("step {}: the force on {} leaves the range of the sums, {:.4g}; its nearest neighbour, particle "
                       "{}, is {:.4g} away. Usual cause: an overlap of the two, or a time step too large for the "
                       "forces. Lower run.timestep, start from a lattice or with [relaxation], or set sums.range to "
                       "more.",
                       step, where, settings_.range, other, std::sqrt(nearest));
  if (event == StepFlags::ownRangeLeft)
    return fmt::format("step {}: what {} sums over its pairs beside forces leaves the range of these sums; its nearest "
                       "neighbour, particle {}, is {:.4g} away. Usual cause: values that have grown beyond what the "
                       "deck let expect. Set transport.flux_range, or sums.range where there is no transport, to more. "
                       "Densities of many-body forces have room for 1,024 particles in one place: let particles not "
                       "gather in points, nor a [[schedule]] make the cutoff much smaller than it begins.",
                       step, where, other, std::sqrt(nearest));
  std::function<double(u32)> apartFrom;
  if (event == StepFlags::edgeBroken) apartFrom = [this, tag](u32 another) { return apart(tag, another); };
  const std::string part = settings_.partOf ? settings_.partOf(tag, apartFrom) : std::string();
  if (event == StepFlags::edgeBroken)
    return fmt::format("step {}: {} bursts at {}: an edge there is as long as its springs can be. Usual cause: a time "
                       "step too large for the springs, cells that start in each other, forces that tear, or two faces "
                       "of a cell that a flow has folded together. Lower run.timestep, raise the membrane's moduli, or "
                       "let vertices of one cell push each other, too; the last checkpoint is from before.",
                       step, part, where);
  if (event == StepFlags::partnerMissing && !part.empty())
    return fmt::format("step {}: {}: what {} is joined to is too far away for ghosts that reach {:.4g}, and parts have "
                       "no room for more. Use fewer ranks, or take a finer mesh.",
                       step, part, where, ghostReach());
  if (event == StepFlags::bondBroken)
    return fmt::format("step {}: a FENE bond of {} is longer than r_max. Usual cause: a time step too large, r_max too "
                       "small for the initial bond_length, or forces that pull the chain apart.",
                       step, where);
  if (event == StepFlags::partnerMissing)
    return fmt::format("step {}: a bond of {} is longer than ghosts reach ({:.4g}), so its other end is not among "
                       "this rank's, and parts have no room for more. Use fewer ranks, or shorten the initial bonds.",
                       step, where, ghostReach());
  if (event == StepFlags::anglePartnerMissing || event == StepFlags::dihedralPartnerMissing)
    return fmt::format("step {}: {} of {} spans more than {:.4g}, so one of its particles is not among this rank's "
                       "ghosts, and parts have no room for more. Use fewer ranks, or shorten the initial bonds.",
                       step, event == StepFlags::anglePartnerMissing ? "an angle" : "a dihedral", where, ghostReach());
  if (event == StepFlags::insideSolid)
    return fmt::format("step {}: {} is deep inside a wall, and no surface is near. Usual cause: it started there, or "
                       "walls that leave no room between them.",
                       step, where);
  return fmt::format(
      "step {}: {} would move further than the cutoff ({:.4g}) in one step; its nearest neighbour, "
      "particle {}, is {:.4g} away. Usual cause: {}. Lower run.timestep, or start from a lattice or with "
      "[relaxation].",
      step, where, settings_.cutoff, other, std::sqrt(nearest),
      std::sqrt(nearest) < 0.3 * settings_.cutoff ? "an overlap of the two" : "a time step too large for the forces");
}

template <class P>
ListCounters BoxPopulation<P>::counters() const {
  ListCounters counters = ListedPopulation::builds();
  counters.dangerousBuilds = flags().dangerous()();
  if (!ranks()) return counters;
  counters.dangerousBuilds = ranks()->largest(counters.dangerousBuilds);
  counters.migrated = ranks()->sum(migration_->migrated());
  counters.ghosts = ranks()->sum(i64{arrays_.ghosts});
  return counters;
}

template <class Velocity, class Real>
struct CountMobile {
  DeviceArray<Velocity> velocity;
  DeviceArray<Real> inverseMass;
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& mobile) const {
    if (inverseMass(velocity(i).species) > Real(0)) ++mobile;
  }
};

template <class P>
i64 BoxPopulation<P>::mobile() const {
  if (settings_.frozen.empty()) return total();
  if (mobile_ < 0) {
    using Half = PairVelocity<typename P::Store>;
    i64 here = 0;
    Kokkos::parallel_reduce("count mobile", Range(0, arrays_.count),
                            CountMobile<Half, Real>{arrays_.velocity->current, inverseMass_}, here);
    mobile_ = ranks() ? ranks()->sum(here) : here;
  }
  return mobile_;
}

template <class P>
std::optional<TransportChoice> BoxPopulation<P>::transport() const {
  if (!halo_) return std::nullopt;
  return TransportChoice{halo_->transport().name(), transportReason_, part_.domain.ranks};
}

template <class P>
std::string BoxPopulation<P>::sharedHow() const {
  const auto choice = transport();
  if (!choice) return {};
  return fmt::format("{} x {} x {} parts; ghosts travel by: {} ({})", choice->parts[0], choice->parts[1],
                     choice->parts[2], choice->name, choice->reason);
}

template <class P>
std::size_t BoxPopulation<P>::memoryBytes() const {
  const std::size_t perParticle = observedVelocity_.extent(0) + observedForce_.extent(0);
  return arrays_.fields.bytes() + summed_.bytes() + list_.bytes() + grid_.bytes() + sorter_.bytes() +
         workspace_.bytes() + perParticle * sizeof(Vec3<Real>) + observedLow_.extent(0) * sizeof(Vec3<u32>) +
         keys_.extent(0) * sizeof(u32) + tagTable_.bytes() + virial_.extent(0) * sizeof(double);
}

}  // namespace mesowarp
