#include "physics/mpcd/solvent_population.hpp"

#include <algorithm>

#include "comm/tag_blocks.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/solvent_output.hpp"
#include "physics/mpcd/solvent_start.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::mpcd {
namespace {

// For whole groups, as passes load them (kernels/bricks/brick_task.hpp).
std::size_t roomFor(i64 particles) { return (static_cast<std::size_t>(particles) + 3) / 4 * 4; }

struct SolventTotals {
  double kinetic[6] = {}, momentum[3] = {};
};
template <class P>
struct TotalsOfParticle {
  SolventArrays<P> solvent;
  SpeciesOfTags species;
  KOKKOS_INLINE_FUNCTION SolventTotals operator()(int i) const {
    SolventTotals sum;
    const double mass = species.of(solvent.tag[i]).mass;
    const double v[3] = {solvent.velocity[0][i], solvent.velocity[1][i], solvent.velocity[2][i]};
    for (int c = 0; c < 3; ++c) sum.kinetic[c] = mass * v[c] * v[c], sum.momentum[c] = mass * v[c];
    sum.kinetic[3] = mass * v[0] * v[1], sum.kinetic[4] = mass * v[0] * v[2], sum.kinetic[5] = mass * v[1] * v[2];
    return sum;
  }
};

}  // namespace

static_assert(PackedPlace<u32>::bits == positionBits);

template <class P>
SolventOf<P>::SolventOf(const input::Deck& deck, const RankPart& part)
    : Solvent(mpcdBlocks().population(), part.ranks), box_(boxOf(deck)), part_(part), timestep_(deck.run.timestep),
      seed_(deck.run.seed), given_(solventsOf(deck)), solid_(solidAround(deck)), mishap_("mishaps", mishaps) {
  for (const input::Population* solvent : given_) {
    const double relative = heldMass(deck, *solvent);
    names_.push_back(solvent->name);
    species_.push_back(
        {static_cast<u32>(total_), relative * given_.front()->mass, relative, 1.0 / std::sqrt(relative)});
    total_ += input::particleCount(*solvent, deck.box);
  }
  rows_ = toDevice<SpeciesRow>("species of solvent", species_);
  const std::size_t room = ranks() ? 0 : roomFor(total_);
  xz_ = fields_.add<Coord>("x and last bits of z", moves, room, 1, true);
  yz_ = fields_.add<Coord>("y and middle bits of z", moves, room, 1, true);
  z_ = fields_.add<typename PackedPlace<Coord>::Rest>("leading bits of z", moves, room, 1, true);
  for (int a = 0; a < 3; ++a) velocity_[a] = fields_.add<Store>(velocityName[a], moves | checkpointed, room, 1, true);
  tag_ = fields_.add<u32>("tag", moves | checkpointed, room, 1, true);
  capacity_ = ranks() ? 0 : static_cast<int>(total_);
}

template <class P>
SolventArrays<P> SolventOf<P>::arrays(bool sorted) const {
  SolventArrays<P> arrays{places(sorted), {}, nullptr};
  for (int a = 0; a < 3; ++a) arrays.velocity[a] = static_cast<Store*>(velocity_[a]->data(sorted));
  arrays.tag = static_cast<u32*>(tag_->data(sorted));
  return arrays;
}

template <class P>
PackedPlaces<typename P::Coord> SolventOf<P>::places(bool sorted) const {
  using Rest = typename PackedPlace<Coord>::Rest;
  return {static_cast<Coord*>(xz_->data(sorted)), static_cast<Coord*>(yz_->data(sorted)),
          static_cast<Rest*>(z_->data(sorted))};
}

template <class P>
void SolventOf<P>::ensureRoom(int particles) {
  if (particles <= capacity_) return;
  Kokkos::fence();  // what still reads the old arrays
  capacity_ = particles + (ranks() ? particles / 16 + 64 : 0);
  fields_.grow(roomFor(capacity_));
}

template <class P>
backend::BrickCoordinates<typename P::Coord> SolventOf<P>::coordinates() const {
  return {places(false), stay_};
}

template <class P>
void SolventOf<P>::beginSort(const BrickGrid& grid, const DomainBounds& stay, bool byPass) {
  stay_ = stay;
  sort_.begin(grid);
  if (byPass)
    sort_.countSorted(coordinates(), count_);
  else
    sort_.count(coordinates(), {0, count_});
}

template <class P>
void SolventOf<P>::endSort(int arrived, int left) {
  const backend::ParticleSpan here{0, count_}, came{count_, count_ + arrived};
  sort_.count(coordinates(), came);
  Workspace none;  // all fields have two buffers
  const FieldMoves move = fields_.beginReorder(none);
  sort_.move(coordinates(), {here, came}, move);
  fields_.endReorder();
  count_ += arrived - left;
}

template <class P>
BrickPlaces SolventOf<P>::beginPass(int arrived) {
  sort_.count(coordinates(), {count_, count_ + arrived});
  return {sort_.places(), stay_, arrived};
}

template <class P>
void SolventOf<P>::endPass(int arrived, int left) {
  sort_.adopt();
  Workspace none;
  fields_.beginReorder(none), fields_.endReorder();  // the pass has moved what they name
  count_ += arrived - left;
}

// In their domains.
template <class P>
void SolventOf<P>::take(LargeVector<Row> rows) {
  if (ranks()) {
    std::vector<std::vector<Row>> toRank(static_cast<std::size_t>(ranks()->size()));
    for (const Row& row : rows)
      toRank[static_cast<std::size_t>(
                 part_.domain.owner({leading32(row.x[0]), leading32(row.x[1]), leading32(row.x[2])}))]
          .push_back(row);
    LargeVector<Row>().swap(rows);
    const std::vector<Row> came = ranks()->toEach(toRank);
    put(came.data(), static_cast<int>(came.size()));
  } else {
    put(rows.data(), static_cast<int>(rows.size()));
  }
  restart_();
}

template <class P>
void SolventOf<P>::put(const Row* rows, int count) {
  count_ = count;
  ensureRoom(count_);
  const auto fill = [&](auto& field, const auto& of) {
    LargeVector<std::remove_cvref_t<decltype(of(rows[0]))>> values(static_cast<std::size_t>(count));
    hostLoop("rows of solvent", 0, count_, [&](i64 i) { values[i] = of(rows[i]); });
    field->fromHost(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(values[0]));
  };
  fill(xz_, [](const Row& row) { return PackedPlace<Coord>::of(row.x).xz; });
  fill(yz_, [](const Row& row) { return PackedPlace<Coord>::of(row.x).yz; });
  fill(z_, [](const Row& row) { return PackedPlace<Coord>::of(row.x).z; });
  for (int a = 0; a < 3; ++a) fill(velocity_[a], [a](const Row& row) { return row.v[a]; });
  fill(tag_, [](const Row& row) { return row.tag; });
}

template <class P>
void SolventOf<P>::start() {
  const int rank = ranks() ? ranks()->rank() : 0, all = ranks() ? ranks()->size() : 1;
  const i64 first = comm::firstOfBlock(rank, all, total_), last = comm::firstOfBlock(rank + 1, all, total_);
  const StartRoom room{solid_.view(), PackedPlace<Coord>::bits};
  LargeVector<Row> rows(static_cast<std::size_t>(last - first));
  for (std::size_t s = 0; s < species_.size(); ++s) {
    const StartTags tags{species_[s].first, s + 1 < species_.size() ? species_[s + 1].first : total_, total_};
    const i64 from = std::clamp(first, tags.first, tags.last), to = std::clamp(last, tags.first, tags.last);
    const StartRows made(seed_, *given_[s], box_, room, tags, from, to, ranks());
    hostLoop("solvent, start", from, to, [&](i64 tag) {
      const StartRow row = made(static_cast<u32>(tag));
      Row& at = rows[static_cast<std::size_t>(tag - first)];
      for (int a = 0; a < 3; ++a) {
        at.x[a] = PackedPlace<Coord>::kept(static_cast<Coord>(row.x[a] >> (64 - 8 * sizeof(Coord))));
        at.v[a] = static_cast<Store>(row.v[a]);
      }
      at.tag = row.tag;
    });
  }
  take(std::move(rows));
}

template <class P>
ThermoSums SolventOf<P>::sums() const {
  const auto all =
      exactSums<SolventTotals>("sums of solvent", count_, TotalsOfParticle<P>{arrays(), speciesOfTags()}, ranks());
  ThermoSums sums;
  std::copy_n(all.kinetic, 6, sums.kinetic);
  std::copy_n(all.momentum, 3, sums.momentum);
  return sums;
}

template class SolventOf<SinglePrecision>;
template class SolventOf<MixedPrecision>;
template class SolventOf<DoublePrecision>;

}  // namespace mesowarp::mpcd
