// Particles on the wrong side of a membrane, which nothing should have let through: counted, and turned into what
// belongs where they are. So momentum and places stay (but for species of other mass), densities on both sides do, and
// what is in a cell feels and is felt as such. To find them all ranks get all vertices of such membranes, 24 bytes
// each.
#pragma once

#include "device/host_copy.hpp"
#include "physics/membrane/sides/bounce_state.hpp"
#include "state/box_population.hpp"

namespace mesowarp::membrane {

// Unwrapped places of this rank's vertices, in units of 2^-placeBits.
template <class P>
struct GatherPlaces {
  using Coord = typename P::Coord;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;
  DeviceArray<u32> tag;
  ShearFaces<Coord> faces;
  SlidPlaces slid;
  u32 first, count;
  DeviceArray<i64> places;
  std::size_t at;  // of the membrane's first vertex
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 number = tag(i) - first;
    if (number >= count) return;
    const auto p = position(i);
    Vec3<Coord> here{p.x, p.y, p.z};
    Vec3<i32> crossed = unpackImage(image(i));
    for (int axis = 0; axis < 3; ++axis)
      if (!faces.on || axis != faces.gradient) crossed[axis] += crossings(built(i)[axis], here[axis]);
    if (faces.on) faces.putBack(here, crossed);
    for (int axis = 0; axis < 3; ++axis) {
      const i64 period = faces.on && axis == faces.gradient ? slid.height : i64{1} << placeBits;
      i64 place = crossed[axis] * period + static_cast<i64>(here[axis] >> (8 * sizeof(Coord) - placeBits));
      if (faces.on && axis == faces.flow) place += crossed[faces.gradient] * slid.offset;
      places(at + 3 * static_cast<std::size_t>(number) + static_cast<std::size_t>(axis)) = place;
    }
  }
};

template <class P>
struct TurnStrays {
  using Coord = typename P::Coord;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  DeviceArray<typename P::Real> inverseMass;
  DeviceArray<u32> tag;
  ShearFaces<Coord> faces;
  Surfaces surfaces;
  Winding winding;
  SideRule rule;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& wrong) const {
    const u32 species = velocity(i).species;
    if (!(inverseMass(species) > typename P::Real(0)) || surfaces.spanOf(tag(i)) >= 0) return;
    auto p = position(i);
    if (faces.on) {
      const Vec3<Coord> at = faces.inBox({p.x, p.y, p.z});
      p.x = at.x, p.y = at.y, p.z = at.z;
    }
    constexpr int down = 8 * static_cast<int>(sizeof(Coord)) - placeBits;
    const i64 place[3] = {static_cast<i64>(p.x >> down), static_cast<i64>(p.y >> down), static_cast<i64>(p.z >> down)};
    const int cell = winding.cellAt(place);
    const Side side = rule.of(species, cell < 0 ? -1 : winding.cell[cell].membrane);
    if (!side.wrong || winding.undecided(place)) return;
    ++wrong;
    velocity(i).species = side.species;
  }
};

template <class P>
class SideSearch {
public:
  SideSearch(BoxPopulation<P>& population, const input::Deck& deck)
      : population_(population), sides_(twoSidesOf(deck)), cells_(sides_), rule_(sides_) {}

  // How many particles of all ranks were on a wrong side. Collective.
  i64 operator()(const Surfaces& surfaces) {
    findCells();
    const auto& arrays = population_.arrays();
    int wrong = 0;
    Kokkos::parallel_reduce("particles on the wrong side", Range(0, arrays.count),
                            TurnStrays<P>{arrays.position->current, arrays.velocity->current, population_.inverseMass(),
                                          arrays.tag->current, population_.facesNow(), surfaces, winding(), rule_},
                            wrong);
    return population_.ranks() ? population_.ranks()->sum(i64{wrong}) : wrong;
  }
  std::size_t bytes() const {
    return cell_.extent(0) * sizeof(WoundCell) + (vertex_.extent(0) + corner_.extent(0)) * sizeof(i32);
  }

private:
  // Of the images now.
  SlidPlaces slid() const {
    const auto faces = population_.facesNow();
    if (!faces.on) return {};
    constexpr int down = 8 * static_cast<int>(sizeof(typename P::Coord)) - placeBits;
    return {faces.flow, faces.gradient, i64{1} << (placeBits - 1),
            faces.boxes * (i64{1} << placeBits) + static_cast<i64>(faces.offset >> down)};
  }
  void findCells() {
    const auto& arrays = population_.arrays();
    DeviceArray<i64> places("places of vertices", cells_.placesNeeded());
    std::size_t at = 0;
    for (const TwoSides& one : sides_) {
      const u32 count = static_cast<u32>(one.count) * static_cast<u32>(one.vertices);
      Kokkos::parallel_for("places of vertices", Range(0, arrays.count),
                           GatherPlaces<P>{arrays.position->current, arrays.built->current, arrays.image->current,
                                           arrays.tag->current, population_.facesNow(), slid(), one.firstTag, count,
                                           places, at});
      at += 3 * static_cast<std::size_t>(count);
    }
    const auto host = hostCopy(places);
    std::vector<i64> all(host.data(), host.data() + host.extent(0));
    if (population_.ranks()) population_.ranks()->sum(all.data(), static_cast<int>(all.size()));
    cells_.place(all, slid());
    cell_ = toDevice<WoundCell>("cells of membranes", cells_.cells());
    vertex_ = toDevice<i32>("vertices of cells", cells_.vertices());
    if (corner_.extent(0) == 0) corner_ = toDevice<i32>("corners of triangles", cells_.corners());
  }
  Winding winding() const {
    return {cell_.data(), static_cast<int>(cell_.extent(0)), vertex_.data(), corner_.data(), slid()};
  }

  BoxPopulation<P>& population_;
  std::vector<TwoSides> sides_;
  WoundCells cells_;
  SideRule rule_;
  DeviceArray<WoundCell> cell_;
  DeviceArray<i32> vertex_, corner_;
};

}  // namespace mesowarp::membrane
