// The pass over the solvent: collide with the record of the cell, stream, add to the sums of the cell that the shifted
// grid has there (kernels/bricks). With that and a small kernel over cells, which makes records of sums, a step is
// done.
//
// Of a particle, 32-bit storage: 21 bytes read and 21 written (Andersen: 25 read); of its cell 6 numbers (with a
// thermostat 7, Andersen 3), from a window in shared memory, and 5 words (6) added there: 20 bytes of native integer
// atomics. A cell's record is staged by about two windows: 48 bytes for ten particles; its sums are written by as many,
// and read by the kernel over cells: 80 bytes for ten particles. About 70 floating-point operations and 60 of integers.
// So one pass moves 61 bytes a particle: why one, and not two, is that anything between collision and streaming would
// read and write the 48 bytes again, and why not none is that a cell's sums must be complete before any of its
// particles can collide.
//
// The collision of a step waits until the next one streams. Where somebody looks at the state in between, the pass is
// taken apart: it collides alone now, and streams alone then; operations are the same, so bits are.
#pragma once

#include <limits>

#include "core/step_guard.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/brick_task.hpp"
#include "kernels/bricks/packed_places.hpp"
#include "physics/boundary/bounce_queue.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/mpcd/collision_rules.hpp"
#include "physics/mpcd/mixture/solvent_species.hpp"
#include "physics/mpcd/record_group.hpp"
#include "physics/mpcd/sharing/shared_cells.hpp"
#include "physics/mpcd/solutes/guest_sums.hpp"

namespace mesowarp::mpcd {

// An array for each component, so that threads side by side read and write whole lines.
template <class P, bool Dense = backend::onGpu>
struct SolventArrays {
  PackedPlaces<typename P::Coord, Dense> places;
  typename P::Store* velocity[3];
  u32* tag;
};

// g(x) = amplitude sin(2 pi x / period) along an axis, the coordinate being a fraction of the period.
template <class Real>
struct SineDrive {
  Vec3<Real> amplitude{};
  int axis = 0;
  KOKKOS_FORCEINLINE_FUNCTION Real at(u32 leading) const {
    // sin(2 pi f) = sin(pi t), t = 2 f in [-1, 1), folded back beyond 1/2
    const Real t = static_cast<Real>(static_cast<i32>(leading)) * Real(0x1p-31), size = t < Real(0) ? -t : t;
    const Real folded = size <= Real(0.5) ? size : Real(1) - size;
    return math::sinPiHalf(t < Real(0) ? -folded : folded);
  }
};
template <class P>
struct SolventDrives {
  static constexpr int most = 2;
  Drives<typename P::Coord, typename P::Real> steps;
  SineDrive<typename P::Real> sine[most];
  int sines = 0;
  typename P::Real half = 0;  // half of the time between collisions
};

// What went wrong, on the device.
enum Mishap { tooFast, tooMany, lost, guestTooFast, guestsTooHeavy, guestLost, insideSolid, mishaps };

// Of particles that are too fast: noted, to be reported once for several of them. A CPU's vectors cannot store what is
// seldom true.
struct Speeding {
  u32 fast = 0, tooFast = 0;
  void note(bool isFast, bool isTooFast) { fast |= isFast ? 1 : 0, tooFast |= isTooFast ? 1 : 0; }
};

// Particles that are faster than is usual: reported, where somebody has to know.
struct FastOnes {
  double squared = std::numeric_limits<double>::infinity();  // of the speed beyond which one is
  int* seen = nullptr;                                       // set to 1 when there is one; null: nobody asks
};

// In edges of the cell that it is in, from the lower corner; [0, 1] by all bits of the coordinate.
template <class Coord>
KOKKOS_FORCEINLINE_FUNCTION void placeInCell(const Coord (&x)[3], const BrickGrid& grid, const GridShift& shift,
                                             double (&r)[3]) {
  for (int a = 0; a < 3; ++a) {
    const u32 cells = static_cast<u32>(grid.cells[a]);
    r[a] = static_cast<double>((leading32(x[a]) + shift.of[a]) * cells) * 0x1p-32;
    if constexpr (sizeof(Coord) == 8)
      r[a] += static_cast<double>(static_cast<u32>(x[a])) * static_cast<double>(cells) * 0x1p-64;
  }
}

// What keeps particles in, behind their move (boundary/solid_boundary.hpp); nothing does.
struct NoWalls {
  static constexpr bool any = false;
};

// Dense: as positions are stored (kernels/bricks/packed_places.hpp).
template <class P, class Rule, bool Driven, class Walls = NoWalls, bool Dense = backend::onGpu>
struct SolventPass {
  using Coord = typename P::Coord;
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Words = typename Rule::Words;
  static constexpr int words = Words::words, sums = Words::sums;
  static constexpr int recordNumbers = Rule::recordNumbers;
  static constexpr bool noise = Rule::noise;
  static constexpr bool mixed = Words::mixed;
  using WallsType = Walls;
  using Speeding = mpcd::Speeding;
  using Masses = std::conditional_t<mixed, ManyMasses, OneMass>;

  struct Particle : Masses::Own {
    Coord x[3];
    Number v[3], d[3];  // d: noise of the next collision
    u32 tag;            // where that, or the mass, needs it
  };

  SolventArrays<P, Dense> solvent, sorted;  // sorted: to which a pass that sorts by the way stores
  BrickGrid grid;
  GridShift before, after;
  Rule rule;
  SumScaleIn<Real> scale;
  SolventDrives<P> drives;
  Real ticks[3];  // of a coordinate, moved per velocity
  CellRecords<Number, Rule::storedNumbers> records;
  u64* sum;
  int* mishap;  // [mishaps]
  bool collides, streams;
  Walls walls;
  Masses masses;
  FastOnes fast{};

  KOKKOS_FORCEINLINE_FUNCTION u64* cellSums() const { return sum; }
  KOKKOS_FORCEINLINE_FUNCTION u32 leading(const Particle& p, int axis) const { return leading32(p.x[axis]); }
  KOKKOS_FORCEINLINE_FUNCTION void lose() const { mishap[lost] = 1; }

  KOKKOS_FORCEINLINE_FUNCTION Particle load(int i) const {
    Particle p;
    solvent.places.load(i, p.x);
    for (int a = 0; a < 3; ++a) p.v[a] = solvent.velocity[a][i];
    if constexpr (noise || mixed) p.tag = solvent.tag[i];
    weigh(p);
    return p;
  }
  KOKKOS_FORCEINLINE_FUNCTION void loadTag(int i, Particle& p) const { p.tag = solvent.tag[i]; }
  // Of particles that lie side by side.
  template <int N>
  struct Group {
    typename PackedPlaces<Coord, Dense>::template Group<N> places;
    SideBySide<Number, N> velocity[3];
    SideBySide<u32, N> tag;  // where noise needs it, or a sort
  };
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void loadGroup(int j, Group<N>& group) const {
    solvent.places.loadGroup(j, group.places);
    for (int a = 0; a < 3; ++a)
      group.velocity[a] = reinterpret_cast<const SideBySide<Number, N>*>(solvent.velocity[a])[j];
    if constexpr (noise || mixed) loadTags(j, group);
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void loadTags(int j, Group<N>& group) const {
    group.tag = reinterpret_cast<const SideBySide<u32, N>*>(solvent.tag)[j];
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Particle open(const Group<N>& group, int q) const {
    Particle p{};
    group.places.at(q).unpack(p.x);
    for (int a = 0; a < 3; ++a) p.v[a] = group.velocity[a].value[q];
    p.tag = group.tag.value[q];
    weigh(p);
    return p;
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void close(Group<N>& group, int q, const Particle& p) const {
    streams ? closeStreamed(group, q, p) : closeCollided(group, q, p, true);
  }
  // Of a particle that has collided, or not, and does not stream yet; of one that has streamed.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void closeCollided(Group<N>& group, int q, const Particle& p, bool collided) const {
    for (int a = 0; a < 3; ++a) group.velocity[a].value[q] = collided ? p.v[a] : group.velocity[a].value[q];
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void closeStreamed(Group<N>& group, int q, const Particle& p) const {
    closeMoved(group, q, p);
    for (int a = 0; a < 3; ++a) group.velocity[a].value[q] = noise ? p.d[a] : p.v[a];
  }
  // Of a particle on its way.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void closeMoved(Group<N>& group, int q, const Particle& p) const {
    group.places.set(q, PackedPlace<Coord, Dense>::of(p.x));
    for (int a = 0; a < 3; ++a) group.velocity[a].value[q] = p.v[a];
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(int i, const Particle& p) const {
    if (streams) solvent.places.store(i, p.x);
    for (int a = 0; a < 3; ++a) solvent.velocity[a][i] = kept(p, a);
  }
  KOKKOS_FORCEINLINE_FUNCTION void storeSorted(int place, const Particle& p) const {
    sorted.places.store(place, p.x);
    for (int a = 0; a < 3; ++a) sorted.velocity[a][place] = kept(p, a);
    sorted.tag[place] = p.tag;
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void storeGroup(int j, const Group<N>& group) const {
    if (streams) solvent.places.storeGroup(j, group.places);
    for (int a = 0; a < 3; ++a) reinterpret_cast<SideBySide<Number, N>*>(solvent.velocity[a])[j] = group.velocity[a];
  }
  // One of a group, which is particle i.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void storeOne(int i, const Group<N>& group, int q) const {
    if (streams) solvent.places.store(i, group.places.at(q));
    for (int a = 0; a < 3; ++a) solvent.velocity[a][i] = group.velocity[a].value[q];
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION Record<Number, recordNumbers> recordOf(const Cell& cell) const {
    return mpcd::recordOf(rule, grid, records, cell);
  }
  template <class Record>
  KOKKOS_FORCEINLINE_FUNCTION void collide(Particle& p, const Record& of) const {
    if constexpr (Rule::angular) {
      double r[3];
      placeInCell(p.x, grid, before, r);
      rule.collide(p.v, r, of);
    } else {
      rule.collide(p.v, of);
    }
  }

  // False: it has come to where it bounces, and is to be stored so. What is left of its step is done behind the pass.
  KOKKOS_FORCEINLINE_FUNCTION bool stream(Particle& p) const {
    if constexpr (Driven) kick(p);
    move(p);
    if constexpr (waits)
      if (walls.mayMeet(unshiftedCell(p)) && walls.isInside(p.x)) {
        for (int a = 0; a < 3; ++a) p.d[a] = p.v[a];  // what is stored
        return false;
      }
    if constexpr (Driven) kick(p);
    arrive(p);
    return true;
  }
  static constexpr bool waits = Walls::any;
  KOKKOS_FORCEINLINE_FUNCTION const auto& waiting() const { return walls.queue; }
  // Of one that waited; by the threads of a warp, lane being this one's number.
  KOKKOS_INLINE_FUNCTION void finish(Particle& p, int i, int lane) const {
    if constexpr (waits) {
      walls.bounce(i, p.x, p.v, Masses::massOf(p), boundary::HalvingByWarp{lane}, lane == 0);
      if constexpr (Driven) kick(p);
      arrive(p);
    }
  }
  // The parts of it, of which a CPU takes several particles through each.
  static constexpr bool driven = Driven, walled = Walls::any;
  KOKKOS_FORCEINLINE_FUNCTION void move(Particle& p) const {
    for (int a = 0; a < 3; ++a)
      p.x[a] += static_cast<Coord>(static_cast<Signed<Coord>>(nearest(static_cast<Real>(p.v[a]) * ticks[a])))
                << PackedPlace<Coord>::spare;
  }
  KOKKOS_FORCEINLINE_FUNCTION void bounce(Particle& p, int i) const {
    if (walls.isInside(p.x)) walls.bounce(i, p.x, p.v, Masses::massOf(p), boundary::Halving{}, true);
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive(Particle& p) const {
    if constexpr (Rule::noise) rule.draw(p.tag, p.d);
    if constexpr (Rule::noise && mixed)
      for (int a = 0; a < 3; ++a) p.d[a] *= static_cast<Number>(p.spread);
  }
  // Half of a step of the drives. One drive after the other, since a loop over them within that over particles would
  // be no vectors.
  template <int N>
  void kick(Group<N>& group) const {
    Real g[3][N];
    for (int q = 0; q < N; ++q)
      for (int a = 0; a < 3; ++a) g[a][q] = drives.steps.constant[a];
    for (int k = 0; k < drives.steps.count; ++k) {
      const auto halves = drives.steps.halves[k];
      addToAll(group, g, [=](const Particle& p, int a, Real already) {
        return already + halves.at(coordinate(p, halves.axis), a);
      });
    }
    for (int k = 0; k < drives.sines; ++k) {
      const auto sine = drives.sine[k];
      addToAll(group, g, [=](const Particle& p, int a, Real already) {
        return math::fusedMultiplyAdd(sine.at(leading32(coordinate(p, sine.axis))), sine.amplitude[a], already);
      });
    }
    kickBy(group, g);
  }

  KOKKOS_FORCEINLINE_FUNCTION void split(const Particle& p, u32* word) const {
    if constexpr (Words::carries) {
      u64 own[sums];
      add(p, own);
      Words::split(own, word);
    } else {
      splitFor(ReportAtOnce{*this}, p, word);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool join(const u32* word, u64* to) const { return joinWords<Words>(scale, word, to); }
  KOKKOS_FORCEINLINE_FUNCTION void add(const Particle& p, u64* to) const { addFor(ReportAtOnce{*this}, p, to); }
  void add(const Particle& p, u64* to, Speeding& noted) const { addFor(noted, p, to); }
  // The same in parts, where it is much: the first sums at once, the others of numbers that are kept meanwhile.
  static constexpr int sumsApart = Words::apart;
  void addFirst(const Particle& p, u64* to, Speeding& noted) const { addFirstFor(noted, p, to); }
  template <int N>
  void keepLever(const Particle& p, double (&kept)[6][N], int q) const {
    double r[3], v[3];
    lever(p, r, v);
    for (int a = 0; a < 3; ++a) kept[a][q] = r[a], kept[3 + a][q] = v[a];
  }
  // Of all particles of a group: their sums k in to[k].
  template <int N>
  [[gnu::noinline]] void addApart(const double (&kept)[6][N], u64 (&to)[sumsApart > 0 ? sumsApart : 1][N]) const {
    if constexpr (sumsApart > 0) {
      for (int q = 0; q < N; ++q) {
        const double r[3] = {kept[0][q], kept[1][q], kept[2][q]};
        u64 own[Words::places];
        Words::ofPlaces(r, own);
        for (int k = 0; k < Words::places; ++k) to[k][q] = own[k];
      }
      for (int q = 0; q < N; ++q) {
        const double r[3] = {kept[0][q], kept[1][q], kept[2][q]}, v[3] = {kept[3][q], kept[4][q], kept[5][q]};
        u64 own[Words::products];
        Words::ofProducts(scale, r, v, own);
        for (int k = 0; k < Words::products; ++k) to[Words::places + k][q] = own[k];
      }
    }
  }
  void report(const Speeding& noted) const { ReportAtOnce{*this}.note(noted.fast != 0, noted.tooFast != 0); }

private:
  struct ReportAtOnce {
    const SolventPass& pass;
    KOKKOS_FORCEINLINE_FUNCTION void note(bool isFast, bool isTooFast) const {
      if (isFast && pass.fast.seen != nullptr) *pass.fast.seen = 1;
      if (isTooFast) pass.mishap[tooFast] = 1;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION void weigh(Particle& p) const {
    if constexpr (mixed) {
      const SpeciesRow& row = masses.species.of(p.tag);
      p.mass = row.relative, p.spread = row.spread;
    }
  }
  // v: its velocity, which becomes what is summed of it.
  template <class Report, class V>
  KOKKOS_FORCEINLINE_FUNCTION void summed(Report&& report, const Particle& p, V (&v)[3], V squared) const {
    const V limit = static_cast<V>(scale.speedLimit);
    const auto within = [limit](V x) { return (x <= limit) & (x >= -limit); };
    bool slow = squared <= limit * limit;
    if constexpr (noise) {
      v[0] -= static_cast<V>(p.d[0]), v[1] -= static_cast<V>(p.d[1]), v[2] -= static_cast<V>(p.d[2]);
      slow = slow & within(v[0]) & within(v[1]) & within(v[2]);
    }
    report.note(squared > static_cast<V>(fast.squared), !slow);
  }
  template <class Report>
  KOKKOS_FORCEINLINE_FUNCTION void splitFor(Report&& report, const Particle& p, u32* word) const {
    Real v[3];
    for (int a = 0; a < 3; ++a) v[a] = p.v[a];
    const Real squared = math::fusedMultiplyAdd(v[2], v[2], math::fusedMultiplyAdd(v[1], v[1], v[0] * v[0]));
    summed(report, p, v, squared);
    Words::Plain::split(scale, v, squared, word);
  }
  template <class Report>
  KOKKOS_FORCEINLINE_FUNCTION void addFor(Report&& report, const Particle& p, u64* to) const {
    if constexpr (mixed) {
      double v[3];
      for (int a = 0; a < 3; ++a) v[a] = static_cast<double>(p.v[a]);
      const double squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      summed(report, p, v, squared);
      Words::put(scale, Masses::massOf(p), v, squared, to);
      if constexpr (Rule::angular) {
        double r[3];
        lever(p, r, v);
        Words::putLever(scale, Masses::massOf(p), r, v, to);
      }
    } else {
      addFirstFor(report, p, to);
      if constexpr (Rule::angular) {
        double r[3], v[3];
        lever(p, r, v);
        Words::ofPlaces(r, to + Words::Plain::sums);
        Words::ofProducts(scale, r, v, to + Words::Plain::sums + Words::places);
      }
    }
  }
  template <class Report>
  KOKKOS_FORCEINLINE_FUNCTION void addFirstFor(Report&& report, const Particle& p, u64* to) const {
    using Plain = typename Words::Plain;
    u32 word[Plain::words];
    splitFor(report, p, word);
    Plain::join(scale, word, to);
  }
  // Where it is in its cell, and what is summed of its velocity.
  KOKKOS_FORCEINLINE_FUNCTION void lever(const Particle& p, double (&r)[3], double (&v)[3]) const {
    placeInCell(p.x, grid, after, r);
    for (int a = 0; a < 3; ++a) v[a] = static_cast<double>(p.v[a]) - (noise ? static_cast<double>(p.d[a]) : 0.0);
  }
  // What is stored as its velocity.
  KOKKOS_FORCEINLINE_FUNCTION Number kept(const Particle& p, int a) const {
    if constexpr (noise) return streams ? p.d[a] : p.v[a];
    return p.v[a];
  }
  // Of the cells as they lie without a shift, which the walls know: -1, this rank does not have it.
  KOKKOS_FORCEINLINE_FUNCTION int unshiftedCell(const Particle& p) const {
    int at[3];
    cellOf(*this, p, {}, at);
    return grid.has(at) ? grid.index(at) : -1;
  }
  // Not p.x[axis]: on a GPU what is asked for by a number lies in memory, and all of a group with it.
  KOKKOS_FORCEINLINE_FUNCTION static Coord coordinate(const Particle& p, int axis) {
    return axis == 0 ? p.x[0] : axis == 1 ? p.x[1] : p.x[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION void kick(Particle& p) const {
    Vec3<Real> g = drives.steps.constant;
    if (drives.steps.count + drives.sines > 0) {  // not loops that end at once: 9% of a step on a GPU
      g = drives.steps.at({p.x[0], p.x[1], p.x[2]});
      for (int k = 0; k < drives.sines; ++k) {
        const Real wave = drives.sine[k].at(leading32(coordinate(p, drives.sine[k].axis)));
        for (int a = 0; a < 3; ++a) g[a] = math::fusedMultiplyAdd(wave, drives.sine[k].amplitude[a], g[a]);
      }
    }
    for (int a = 0; a < 3; ++a) p.v[a] = kicked(p, a, g[a]);
  }
  template <int N>
  [[gnu::noinline]] void kickBy(Group<N>& group, const Real (&g)[3][N]) const {
    for (int q = 0; q < N; ++q)
      for (int a = 0; a < 3; ++a) group.velocity[a].value[q] = kicked(open(group, q), a, g[a][q]);
  }
  KOKKOS_FORCEINLINE_FUNCTION Number kicked(const Particle& p, int a, Real g) const {
    return static_cast<Number>(math::fusedMultiplyAdd(g, drives.half, static_cast<Real>(p.v[a])));
  }
  // Of a drive by halves, or by a sine: acceleration(p, component).
  template <int N, class Acceleration>
  [[gnu::noinline]] void addToAll(const Group<N>& group, Real (&g)[3][N], const Acceleration& acceleration) const {
    for (int q = 0; q < N; ++q) {
      const Particle p = open(group, q);
      for (int a = 0; a < 3; ++a) g[a][q] = acceleration(p, a, g[a][q]);
    }
  }
};

// A cell's record, of its sums. Guested: there may be others in it. Of many sums, with which registers are full, a
// kernel of its own (8% of a step of 10 million particles on an H200).
template <class P, class Rule, bool Guested>
struct MakeRecords {
  using Number = typename P::Store;
  using Words = typename Rule::Words;
  using Records = CellRecords<Number, Rule::storedNumbers>;
  BrickGrid grid;
  Rule rule;
  CellTask task;
  Records records;
  int* mishap;
  using Guests = GuestSumsOf<Rule::angular>;
  Guests guests{};
  SharedCells shared{};           // with neighbours,
  ComeSums<RowOf<Words>> come{};  // whose sums these are
  ComeSums<typename Guests::Row> guestsCome{};
  bool fully = true;  // also of cells that none of this rank's particles is in: others may come before they are read
  template <class Cell>
  KOKKOS_INLINE_FUNCTION void operator()(const Cell& cell, const u64 (&sums)[Words::sums]) const {
    complete(cell, sums, [&](const typename Words::Cell& of) {
      Number to[2 * Record<Number, Rule::recordNumbers>::pairs] = {};
      rule.record(task, of, grid.global(cell), to);
      records.store(cell, to);
    });
  }
  // Several at once, on a CPU (kernels/bricks/cell_pass_cpu.hpp).
  static constexpr int atOnce = Rule::angular ? 1 : 64;
  using Group = RecordGroup<Rule, atOnce>;
  void take(Group& group, int cell, const u64 (&sums)[Words::sums]) const {
    complete(cell, sums, [&](const CellSums& of) { group.add(cell, grid.global(cell), of); });
  }
  void finish(Group& group) const {
    group.make(rule, task);
    for (int q = 0; q < group.size(); ++q) {
      Number to[2 * Record<Number, Rule::recordNumbers>::pairs] = {};
      records.store(group.record(q, rule, task, to), to);
    }
    group.clear();
  }

private:
  // each(sums of all): if a record is wanted.
  template <class Cell, class Each>
  KOKKOS_FORCEINLINE_FUNCTION void complete(const Cell& cell, const u64 (&sums)[Words::sums], const Each& each) const {
    u64 all[Words::sums], any = 0;
    for (int s = 0; s < Words::sums; ++s) all[s] = sums[s], any |= sums[s];
    const bool wanted = any != 0 || fully;
    come.addTo(shared, cell, all, wanted);
    if (!wanted) return;
    typename Words::Cell of(task.scale, all);
    if (of.count > task.scale.mostInCell()) mishap[tooMany] = 1;
    if constexpr (Guested)
      if (guests.sum != nullptr && !guests.addTo(of, cell, shared, guestsCome)) mishap[guestsTooHeavy] = 1;
    each(of);
  }
};

}  // namespace mesowarp::mpcd
