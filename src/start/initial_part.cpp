#include "start/initial_part.hpp"

#include <algorithm>

#include "device/host_loop.hpp"
#include "input/estimate.hpp"
#include "start/initial_positions.hpp"
#include "start/initial_velocities.hpp"

namespace mesowarp {
namespace {

// A particle on its way to its rank.
struct Traveller {
  std::array<u64, 3> position;
  std::array<double, 3> velocity;
  u32 species, tag;
};

class PartMaker {
public:
  PartMaker(const input::Deck& deck, const Populations& populations, const RankPart& part, i64 share)
      : ranks_(*part.ranks), domain_(part.domain), all_(part.allParticles),
        velocities_(deck, runsOf(deck, populations)) {
    const i64 size = ranks_.size();
    share_ = share > 0 ? share : std::max<i64>(4096, (i64{1} << 18) / size);
    windows_ = (all_ + share_ * size - 1) / (share_ * size);
    const Box box = boxOf(deck);
    for (const auto& run : runsOf(deck, populations)) {
      positions_.emplace_back(box, deck.run.seed, *run.population, run.first);
      species_.push_back(speciesNumber(deck, run.population->species));
    }
  }

  HostParticles make() {
    sumInOrder([&] { velocities_.addMomentum(piece_, first_); });
    if (velocities_.scales()) sumInOrder([&] { velocities_.addKinetic(piece_, first_); });
    own_.reserve(static_cast<std::size_t>(all_ / ranks_.size() * 17 / 16));
    own_.tag.reserve(own_.position.capacity());
    for (i64 w = 0; w < windows_; ++w) {
      take(w);
      placePiece();
      velocities_.draw(piece_, first_);
      velocities_.adjust(piece_, first_);
      append(ranks_.toEach(byOwner()));
    }
    return std::move(own_);
  }

private:
  static std::vector<PopulationRun> runsOf(const input::Deck& deck, const Populations& populations) {
    std::vector<PopulationRun> runs;
    i64 first = 0;
    for (const input::Population* population : populations) {
      const i64 last = first + input::particleCount(*population, deck.box);
      runs.push_back({population, first, last, true});
      first = last;
    }
    return runs;
  }

  // This rank's share of a window, which may be empty, with the species.
  void take(i64 window) {
    first_ = std::min(all_, (window * ranks_.size() + ranks_.rank()) * share_);
    const i64 last = std::min(all_, first_ + share_);
    piece_.resize(static_cast<std::size_t>(last - first_));
    forPopulations([&](std::size_t p, i64 begin, i64 end) {
      std::fill(piece_.species.begin() + (begin - first_), piece_.species.begin() + (end - first_), species_[p]);
    });
  }

  // task(population, first, last): tags of the piece.
  template <class Task>
  void forPopulations(const Task& task) const {
    i64 first = 0;
    for (std::size_t p = 0; p < positions_.size(); ++p) {
      const i64 last = first + positions_[p].count();
      const i64 begin = std::max(first, first_), end = std::min(last, first_ + piece_.count());
      if (begin < end) task(p, begin, end);
      first = last;
    }
  }

  void placePiece() {
    forPopulations([&](std::size_t p, i64 begin, i64 end) {
      hostLoop("initial positions, piece", begin, end,
               [&](i64 tag) { piece_.position[tag - first_] = positions_[p](tag); });
    });
  }

  // Each piece is added to what the ranks of all pieces before it have added.
  template <class Add>
  void sumInOrder(const Add& add) {
    const int size = ranks_.size(), rank = ranks_.rank();
    auto& sums = velocities_.sums();
    const auto count = static_cast<int>(sums.size());
    for (i64 w = 0; w < windows_; ++w) {
      take(w);
      velocities_.draw(piece_, first_);
      if (w > 0 || rank > 0) ranks_.receive(sums.data(), count, (rank + size - 1) % size);
      add();
      if (w + 1 < windows_ || rank + 1 < size) ranks_.send(sums.data(), count, (rank + 1) % size);
    }
    ranks_.fromRank(size - 1, sums.data(), count);
  }

  std::vector<std::vector<Traveller>> byOwner() const {
    const i64 count = piece_.count();
    std::vector<int> owner(static_cast<std::size_t>(count)), place(static_cast<std::size_t>(count));
    hostLoop("owners of particles", 0, count, [&](i64 i) {
      const auto& x = piece_.position[i];
      owner[i] =
          domain_.owner({static_cast<u32>(x[0] >> 32), static_cast<u32>(x[1] >> 32), static_cast<u32>(x[2] >> 32)});
    });
    std::vector<int> counts(static_cast<std::size_t>(ranks_.size()), 0);
    for (i64 i = 0; i < count; ++i) place[i] = counts[owner[i]]++;
    std::vector<std::vector<Traveller>> parts;
    for (const int number : counts) parts.emplace_back(static_cast<std::size_t>(number));
    hostLoop("particles by owner", 0, count, [&](i64 i) {
      parts[owner[i]][place[i]] = {piece_.position[i], piece_.velocity[i], piece_.species[i],
                                   static_cast<u32>(first_ + i)};
    });
    return parts;
  }

  // In the order of ranks, so of tags.
  void append(const std::vector<Traveller>& arrived) {
    const std::size_t before = own_.position.size();
    own_.resize(before + arrived.size());
    own_.tag.resize(before + arrived.size());
    hostLoop("own particles", 0, static_cast<i64>(arrived.size()), [&](i64 k) {
      const Traveller& one = arrived[k];
      own_.position[before + k] = one.position, own_.velocity[before + k] = one.velocity;
      own_.species[before + k] = one.species, own_.tag[before + k] = one.tag;
    });
  }

  const comm::Communicator& ranks_;
  const Domain& domain_;
  i64 all_, share_, windows_ = 0, first_ = 0;  // share_: tags of a window for each rank; first_: of piece_
  InitialVelocities velocities_;
  std::vector<SinglePositions> positions_;  // of each population
  std::vector<u32> species_;
  HostParticles piece_, own_;
};

}  // namespace

bool madeInPieces(const Populations& populations) {
  return std::all_of(populations.begin(), populations.end(), [](const input::Population* p) {
    return p->blocks.empty() && p->initial != input::StartKind::file;
  });
}

i64 particlesOf(const input::Deck& deck, const Populations& populations) {
  i64 count = 0;
  for (const input::Population* population : populations) count += input::particleCount(*population, deck.box);
  return count;
}

HostParticles makeInitialPart(const input::Deck& deck, const Populations& populations, const RankPart& part,
                              i64 share) {
  return PartMaker(deck, populations, part, share).make();
}

}  // namespace mesowarp
