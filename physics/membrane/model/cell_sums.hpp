// Area, volume and centre of each cell, from its vertices' shares (ring_terms.hpp) as 64-bit integers: neither the
// order of threads nor the cut into ranks can change them. Area and volume are in units of 2^-50 of a power of two
// above the cell's at rest, so shares may be 4096 times as large before they wrap.
//
// Volume counts from the cell's place, a point that all ranks know: the mean of its vertices in the step before. Places
// are fixed-point fractions of the box, as positions are; differences of less than half the box find the nearest image.
// In a sheared box they are in the box, as its images were in the step that they are means of.
#pragma once

#include "core/images.hpp"
#include "core/step_guard.hpp"
#include "kernels/pairs/sheared_separation.hpp"
#include "kernels/pairs/step_context.hpp"
#include "physics/membrane/model/mesh_on_device.hpp"

namespace mesowarp::membrane {

constexpr int cellWords = 5;   // area, volume, and the mean of places in x, y, z
constexpr int olderWords = 5;  // area, volume, those a step older, and how many steps that is

// Differences of places are added up without their last bits, so that many fit.
template <class Coord>
constexpr int droppedBits = sizeof(Coord) == 8 ? 24 : 0;

template <class Coord>
struct CellArrays {
  DeviceArray<i64> sums;   // [cell * cellWords + word], of this rank, while they are added up
  DeviceArray<i64> known;  // [cell * 2 + word], area and volume as forces know them
  DeviceArray<i64> older;  // [cell * olderWords + word], those of the last two steps, and how many; empty: not needed
  DeviceArray<Vec3<Coord>> place;
};

// What kernels read of particles, and of which vertices.
template <class P>
struct VertexState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  DeviceArray<VertexRow> rows;
  Kokkos::View<int**, Memory> ring, beyond;  // [row][k]: indices of particles; -1: not here
  Ticks<typename P::Real> tick;
  ShearFaces<typename P::Coord> faces;
  StepGuard guard;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
};

// Places of other vertices seen from one: of its ring, or of what is beyond.
template <class P>
struct PlacesFrom {
  const DeviceArray<PairPosition<typename P::Coord>>& position;
  const Kokkos::View<int**, Memory>& index;
  int row;
  PairPosition<typename P::Coord> here;
  Ticks<typename P::Real> tick;
  ShearFaces<typename P::Coord> faces;
  KOKKOS_FORCEINLINE_FUNCTION Vec3<typename P::Real> operator()(int k) const {
    if (!faces.on) return backend::separation<typename P::Real>(position(index(row, k)), here, tick);
    const auto r = separation<typename P::Real>(here, position(index(row, k)), tick, faces);
    return {-r.x, -r.y, -r.z};
  }
};

// What a vertex adds to its cell's sums. On a GPU the vertices of a warp that are of one cell are added up first
// (share_sums.hpp): 500 additions to one address would wait for each other.
template <class P, class Math>
struct AddShares {
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  VertexState<P> state;
  MeshOnDevice<Real> mesh;
  CellArrays<Coord> cells;
  double areaScale, volumeScale;

  // False: it adds nothing.
  KOKKOS_INLINE_FUNCTION bool share(int n, u32& cell, i64 (&words)[cellWords]) const {
    if (backend::onGpu && state.guard.stops()) return false;
    const VertexRow row = state.rows(n);
    const int vertex = static_cast<int>(row.number % static_cast<u32>(mesh.vertices));
    const int around = mesh.around(vertex);
    for (int k = 0; k < around; ++k)
      if (state.ring(n, k) < 0) return false;  // the forces tell
    cell = row.number / static_cast<u32>(mesh.vertices);
    const auto here = state.position(row.self);
    const Vec3<Signed<Coord>> apart = ticksApart(state.faces, Vec3<Coord>{here.x, here.y, here.z}, cells.place(cell));
    const Vec3<Real> place{math::fromInteger<Real>(apart.x) * state.tick.x,
                           math::fromInteger<Real>(apart.y) * state.tick.y,
                           math::fromInteger<Real>(apart.z) * state.tick.z};
    const auto own =
        shareOf<Math>(place, around, PlacesFrom<P>{state.position, state.ring, n, here, state.tick, state.faces});
    words[0] = static_cast<i64>(static_cast<double>(own.area) * areaScale);
    words[1] = static_cast<i64>(static_cast<double>(own.volume) * volumeScale);
    words[2] = static_cast<i64>(apart.x) >> droppedBits<Coord>;
    words[3] = static_cast<i64>(apart.y) >> droppedBits<Coord>;
    words[4] = static_cast<i64>(apart.z) >> droppedBits<Coord>;
    return true;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    u32 cell = 0;
    i64 words[cellWords];
    if (!share(n, cell, words)) return;
    for (std::size_t w = 0; w < cellWords; ++w)
      Kokkos::atomic_add(&cells.sums(static_cast<std::size_t>(cell) * cellWords + w), words[w]);
  }
};

// Of each cell, once its sums are those of all ranks: what forces know, the place moves on, and the sums are zero
// again.
template <class Coord>
struct SettleCells {
  CellArrays<Coord> cells;
  int vertices;
  ShearFaces<Coord> faces;  // of the step that the sums are of
  bool extrapolates;        // what forces are to know is of the next step
  StepGuard guard;
  KOKKOS_INLINE_FUNCTION void operator()(int c) const {
    if (backend::onGpu && guard.stops()) return;
    const std::size_t cell = static_cast<std::size_t>(c), at = cell * cellWords;
    for (std::size_t w = 0; w < 2; ++w) cells.known(2 * cell + w) = extrapolates ? nextOf(cell, w) : cells.sums(at + w);
    if (extrapolates) remember(cell);
    const Vec3<Coord> from = cells.place(cell);
    Vec3<Coord> place{from.x + mean(at + 2), from.y + mean(at + 3), from.z + mean(at + 4)};
    if (faces.on)
      if (const int side = ShearFaces<Coord>::side(place[faces.gradient]); side != 0) place = faces.image(place, -side);
    cells.place(cell) = place;
    for (std::size_t w = 0; w < cellWords; ++w) cells.sums(at + w) = 0;
  }
  // The parabola through the last three. A swing of w = dt sqrt(K / m) then dies away as long as w is below 0.7; with
  // the last value alone it grows by 1 + w^2 / 2 in a step (docs/theory/membranes.md).
  KOKKOS_INLINE_FUNCTION i64 nextOf(std::size_t cell, std::size_t w) const {
    const i64 now = cells.sums(cell * cellWords + w);
    const std::size_t at = cell * olderWords;
    const i64 steps = cells.older(at + 4);
    if (steps == 0) return now;
    if (steps == 1) return 2 * now - cells.older(at + w);
    return 3 * (now - cells.older(at + w)) + cells.older(at + 2 + w);
  }
  KOKKOS_INLINE_FUNCTION void remember(std::size_t cell) const {
    const std::size_t at = cell * olderWords;
    for (std::size_t w = 0; w < 2; ++w)
      cells.older(at + 2 + w) = cells.older(at + w), cells.older(at + w) = cells.sums(cell * cellWords + w);
    if (cells.older(at + 4) < 2) ++cells.older(at + 4);
  }
  KOKKOS_INLINE_FUNCTION Coord mean(std::size_t word) const {
    return static_cast<Coord>(static_cast<u64>(cells.sums(word) / vertices) << droppedBits<Coord>);
  }
};

// Where nothing is known yet: the mean of the vertices' unwrapped places. Of a sheared box, whose periods these
// coordinates do not have, places count from a vertex' box, and the images' way is added.
template <class P>
struct AddPlaces {
  using Coord = typename P::Coord;
  VertexState<P> state;
  DeviceArray<u64> image;
  DeviceArray<Vec3<Coord>> built;
  CellArrays<Coord> cells;
  int vertices;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const VertexRow row = state.rows(n);
    const std::size_t at = row.number / static_cast<u32>(vertices) * cellWords;
    const auto p = state.position(row.self);
    const ShearFaces<Coord>& faces = state.faces;
    Vec3<Coord> here{p.x, p.y, p.z};
    Vec3<i32> crossed = unpackImage(image(row.self));
    for (int axis = 0; axis < 3; ++axis)
      if (!faces.on || axis != faces.gradient) crossed[axis] += crossings(built(row.self)[axis], here[axis]);
    if (faces.on) faces.putBack(here, crossed);
    for (int axis = 0; axis < 3; ++axis) {
      i64 word = static_cast<i64>(here[axis] >> droppedBits<Coord>) + crossed[axis] * periodOf(axis);
      if (faces.on && axis == faces.flow)
        word += crossed[faces.gradient] *
                (faces.boxes * periodOf(axis) + static_cast<i64>(faces.offset >> droppedBits<Coord>));
      Kokkos::atomic_add(&cells.sums(at + 2 + static_cast<std::size_t>(axis)), word);
    }
  }

private:
  KOKKOS_INLINE_FUNCTION i64 periodOf(int axis) const {
    constexpr int bits = 8 * static_cast<int>(sizeof(Coord)) - droppedBits<Coord>;
    return i64{1} << (state.faces.on && axis == state.faces.gradient ? bits - 1 : bits);
  }
};

}  // namespace mesowarp::membrane
