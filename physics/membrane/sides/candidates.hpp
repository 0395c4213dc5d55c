// Which triangles a particle may meet before the next build of the neighbour list: those that were near it at the last
// one. Until then neither it nor a vertex moves by more than half the skin, so nearer than the skin is enough; a
// quarter more is for a bounce that leads further, and for the step that the list is built behind. By places at the
// build, so that a resumed run finds the same.
#pragma once

#include "kernels/rows/neighbor_table.hpp"
#include "physics/membrane/sides/bounce_state.hpp"
#include "physics/membrane/sides/crossing.hpp"
#include "state/box_population.hpp"

namespace mesowarp::membrane {

// A triangle: its corners among particles and ghosts, from the one with the lowest tag on, and its membrane.
struct Candidate {
  int corner[3];
  int span;
};

// Those of one particle after the other: `first` and `number` of each particle of this rank, `near` those that have
// any.
struct Candidates {
  DeviceArray<Candidate> all;
  DeviceArray<int> first, number, near;
};

template <class P>
struct FindCandidates {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  Candidates found;
  bool writes;  // or counts
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<PairVelocity<typename P::Store>> velocity;  // species
  DeviceArray<Real> inverseMass;
  DeviceArray<u32> tag;
  NeighborTable rows;
  TagLookup indexOfTag;
  Surfaces surfaces;
  Ticks<double> tick;
  ShearFaces<Coord> faces;  // at the build
  double reach;             // of the list, length, less what rounding may take from it
  double within;            // of a triangle, length
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (writes) {
      if (found.number(i) > 0) search(i);
    } else {
      const bool meets = !(backend::onGpu && guard.stops()) && inverseMass(velocity(i).species) > Real(0) &&
                         surfaces.spanOf(tag(i)) < 0;
      found.number(i) = meets ? search(i) : 0;
    }
  }

private:
  KOKKOS_INLINE_FUNCTION Vector apart(int j, const Vec3<Coord>& from) const {
    const Vec3<Signed<Coord>> back = ticksApart(faces, from, Vec3<Coord>(built(j)));
    return {-static_cast<double>(back.x) * tick.x, -static_cast<double>(back.y) * tick.y,
            -static_cast<double>(back.z) * tick.z};
  }

  KOKKOS_INLINE_FUNCTION int search(int i) const {
    int count = 0;
    const Vec3<Coord> from = built(i);
    const NeighborRow row = rows.row(i);
    for (int k = 0; k < row.size; ++k) {
      const int j = rows.entries(row.first + static_cast<i64>(k) * row.stride);
      const u32 own = tag(j);
      const int number = surfaces.spanOf(own);
      if (number < 0 || surfaces.span(number).keeps == 0) continue;
      const VertexSpan span = surfaces.span(number);
      const u32 vertex = (own - span.first) % span.vertices, cell = own - vertex;
      const int around = surfaces.around(span.around + static_cast<i32>(vertex)),
                slot = span.ring + static_cast<i32>(vertex) * span.most;
      const Vector a = apart(j, from);
      u32 before = cell + static_cast<u32>(surfaces.ring(slot + around - 1));
      int b = indexOfTag(before);
      for (int n = 0; n < around; ++n) {
        const u32 behind = cell + static_cast<u32>(surfaces.ring(slot + n));
        const int c = indexOfTag(behind);
        if (b >= 0 && c >= 0 && isOurs(a, apart(b, from), apart(c, from), own, before, behind)) {
          if (writes) found.all(found.first(i) + count) = inOrder(j, b, c, own, before, behind, number);
          ++count;
        }
        before = behind, b = c;
      }
    }
    return count;
  }
  // Near, and not found from a corner with a lower tag, which is in the row as well.
  KOKKOS_INLINE_FUNCTION bool isOurs(const Vector& a, const Vector& b, const Vector& c, u32 own, u32 before,
                                     u32 behind) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (a[axis] > within && b[axis] > within && c[axis] > within) return false;
      if (a[axis] < -within && b[axis] < -within && c[axis] < -within) return false;
    }
    if (before < own && inner(b, b) < reach * reach) return false;
    if (behind < own && inner(c, c) < reach * reach) return false;
    const Vector normal = outer(less(b, a), less(c, a));
    const double height = inner(a, normal);
    return height * height <= within * within * inner(normal, normal);
  }
  KOKKOS_INLINE_FUNCTION static Candidate inOrder(int j, int b, int c, u32 own, u32 before, u32 behind, int span) {
    if (own < before) return own < behind ? Candidate{{j, b, c}, span} : Candidate{{c, j, b}, span};
    return before < behind ? Candidate{{b, c, j}, span} : Candidate{{c, j, b}, span};
  }
};

struct PlaceCandidates {
  DeviceArray<int> number, first;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& before, bool final) const {
    if (final) first(i) = before;
    before += number(i);
  }
};
struct ListNear {
  DeviceArray<int> number, near;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& before, bool final) const {
    if (number(i) == 0) return;
    if (final) near(before) = i;
    ++before;
  }
};

// The memory of all that.
template <class P>
class CandidateTable {
public:
  const Candidates& found() const { return found_; }
  int near() const { return near_; }  // particles that have any
  std::size_t bytes() const {
    return found_.all.extent(0) * sizeof(Candidate) + 3 * found_.first.extent(0) * sizeof(int);
  }
  // Behind a build. On a GPU the host waits for it.
  void find(const BoxPopulation<P>& population, const Surfaces& surfaces, const StepGuard& guard) {
    const auto& arrays = population.arrays();
    const auto& settings = population.settings();
    const Box& box = settings.box;
    constexpr int bits = 8 * static_cast<int>(sizeof(typename P::Coord));
    const auto room = static_cast<std::size_t>(arrays.capacity);
    if (found_.first.extent(0) < room) {
      found_.first = DeviceArray<int>("first triangles of particles", room);
      found_.number = DeviceArray<int>("triangles of particles", room);
      found_.near = DeviceArray<int>("particles near membranes", room);
    }
    FindCandidates<P> find{found_,
                           false,
                           arrays.built->current,
                           arrays.velocity->current,
                           population.inverseMass(),
                           arrays.tag->current,
                           population.list().table(),
                           population.indexOfTag(),
                           surfaces,
                           {box.tick(0, bits), box.tick(1, bits), box.tick(2, bits)},
                           population.facesAt(population.builds().lastRebuild),
                           0.999 * population.reach(),
                           1.25 * settings.skin,
                           guard};
    const Range own(0, arrays.count);
    int all = 0;
    Kokkos::parallel_for("count triangles of particles", own, find);
    Kokkos::parallel_scan("places of triangles", own, PlaceCandidates{found_.number, found_.first}, all);
    Kokkos::parallel_scan("particles near membranes", own, ListNear{found_.number, found_.near}, near_);
    if (found_.all.extent(0) < static_cast<std::size_t>(all))
      found_.all = DeviceArray<Candidate>(Kokkos::view_alloc("triangles of particles", Kokkos::WithoutInitializing),
                                          static_cast<std::size_t>(all) + static_cast<std::size_t>(all) / 4 + 64);
    find.found = found_, find.writes = true;
    Kokkos::parallel_for("triangles of particles", own, find);
  }

private:
  Candidates found_;
  int near_ = 0;
};

}  // namespace mesowarp::membrane
