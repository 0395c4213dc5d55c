// Between GPUs of one host: kernels that pack store straight into the ghosts of the neighbour's GPU, and flags there
// (release, acquire, system scope) tell it when all have come. The host waits for nothing, and nothing is unpacked.
//
// A neighbour stores the ghosts of x_k+1 where those of x_k-1 were. It does so only after it has all ghosts of x_k,
// which this rank sent after the particles that read those of x_k-1 were done: so nothing is overwritten before it has
// been read. The first ghosts of a plan go to the current buffers, once this rank has said, by prepare(), that nothing
// reads them; the next ones to the others.
//
// At a rebuild neighbours tell each other where both buffers of every ghosted field are (FieldRegistry::places, CUDA's
// inter-process handles). Buffers take turns on all ranks alike, so the one that a neighbour is writing is known. A
// field that grows lets go of its old memory only after the neighbours have closed it.
#pragma once

#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "comm/transport/transport.hpp"
#include "device/memory/bytes.hpp"

namespace mesowarp::comm {

template <class Peer>
class PeerTransport final : public Transport {
public:
  // Collective.
  PeerTransport(const Communicator& ranks, const Domain& domain) : ranks_(ranks.handle()) {
    for (int way = 0; way < direction::count; ++way)
      neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
    std::vector<Address> addresses(static_cast<std::size_t>(ranks.size()));
    Address mine{};
    ranks.onAll([&] { mine = Peer::addressOf(flags_.data()); });
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, addresses.data(), sizeof mine, MPI_BYTE, ranks_);
    ranks.onAll([&] {
      for (int way = 0; way < direction::count; ++way)
        if (neighbor_[way] >= 0)
          theirFlags_[way] = open(addresses[static_cast<std::size_t>(neighbor_[way])]) + direction::opposite(way);
    });
    flagsOpen_ = std::exchange(used_, {});
  }
  ~PeerTransport() override {
    Kokkos::fence();
    for (const auto& memory : open_) Peer::close(memory.second);
    MPI_Barrier(ranks_);  // memory may go once nobody has it open
  }

  const char* name() const override { return "peer"; }

  // Neighbours tell each other where ghosts are stored.
  void prepare(const GhostPlan& plan, const std::vector<FieldPlace>& fields) override {
    before_ = std::exchange(mine_, fields);  // what was lent for the plan before last has been closed by all
    std::array<Place, direction::count> mine, theirs;
    std::vector<MPI_Request> waiting;
    for (int way = 0; way < direction::count; ++way) {
      if (neighbor_[way] < 0) continue;
      waiting.emplace_back();
      MPI_Irecv(&theirs[way], sizeof theirs[way], MPI_BYTE, neighbor_[way], tag + direction::opposite(way), ranks_,
                &waiting.back());
    }
    const Place place = placeOfFields();
    for (int way = 0; way < direction::count; ++way) {
      if (neighbor_[way] < 0) continue;
      mine[way] = place;
      mine[way].first = plan.particles + plan.firstGhost[way];
      waiting.emplace_back();
      MPI_Isend(&mine[way], sizeof mine[way], MPI_BYTE, neighbor_[way], tag + way, ranks_, &waiting.back());
    }
    MPI_Waitall(static_cast<int>(waiting.size()), waiting.data(), MPI_STATUSES_IGNORE);
    for (int way = 0; way < direction::count; ++way) {
      if (neighbor_[way] < 0) continue;
      for (std::size_t f = 0; f < mine_.size(); ++f)
        for (int b = 0; b < 2; ++b)
          ghosts_[way][f][b] =
              open(theirs[way].buffer[f][b]) + static_cast<std::size_t>(theirs[way].first) * mine_[f].words;
    }
    closeUnused();
  }

  // A neighbour's buffers take turns as this rank's do.
  BorderTargets targets(const FieldRows& rows) override {
    BorderTargets targets;
    for (int c = 0; c < rows.count; ++c) {
      const auto [field, buffer] = bufferOf(rows.column[c].data);
      targets.pitch[c] = rows.column[c].words;
      for (int way = 0; way < direction::count; ++way)
        if (neighbor_[way] >= 0) targets.to[way][c] = ghosts_[way][field][buffer];
    }
    return targets;
  }

  void start(backend::SideStream& side) override { Peer::raise(side, raised()); }

  std::optional<WaySources> finish(backend::SideStream& side) override {
    Peer::await(side, awaited());
    return std::nullopt;
  }

  bool direct() const override { return true; }
  backend::PeerFlags raised() override { return {theirFlags_, ++exchanges_}; }
  backend::PeerFlags awaited() override {
    backend::PeerFlags flags{{}, exchanges_};
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0) flags.flag[way] = flags_.data() + way;
    return flags;
  }

private:
  static constexpr int tag = 96, most = BorderTargets::most;
  using Address = typename Peer::Address;

  // What a neighbour needs to know: of each field the current buffer and the other, and at which particle its ghosts
  // begin.
  struct Place {
    Address buffer[most][2];
    int first = 0;
  };

  Place placeOfFields() {
    Place place;
    std::map<const u32*, Address> known;
    for (std::size_t f = 0; f < mine_.size(); ++f)
      for (int b = 0; b < 2; ++b) {
        u32* const data = mine_[f].buffer[b];
        const auto old = addresses_.find(data);  // kept by before_: still the same memory
        place.buffer[f][b] = known[data] = old != addresses_.end() ? old->second : Peer::addressOf(data);
      }
    addresses_ = std::move(known);
    return place;
  }

  std::pair<int, int> bufferOf(const u32* data) const {
    for (std::size_t f = 0; f < mine_.size(); ++f)
      for (int b = 0; b < 2; ++b)
        if (mine_[f].buffer[b] == data) return {static_cast<int>(f), b};
    throw std::logic_error("a field that neighbours do not know of");
  }

  // Memory of a neighbour; once for all that is in it.
  u32* open(const Address& address) {
    const Name name = nameOf(address);
    used_.insert(name);
    auto memory = open_.find(name);
    if (memory == open_.end()) memory = open_.emplace(name, Peer::open(address)).first;
    return reinterpret_cast<u32*>(memory->second + address.offset);
  }
  void closeUnused() {
    for (auto memory = open_.begin(); memory != open_.end();) {
      const bool needed = used_.count(memory->first) > 0 || flagsOpen_.count(memory->first) > 0;
      if (!needed) Peer::close(memory->second);
      memory = needed ? std::next(memory) : open_.erase(memory);
    }
    used_.clear();
  }
  using Name = std::array<char, sizeof(typename Peer::Handle)>;
  static Name nameOf(const Address& address) {
    Name name;
    std::memcpy(name.data(), &address.handle, sizeof name);
    return name;
  }

  MPI_Comm ranks_;
  std::array<int, direction::count> neighbor_;                       // -1: none
  DeviceArray<u32> flags_{"flags of neighbours", direction::count};  // raised by the neighbour each way
  std::array<u32*, direction::count> theirFlags_{};                  // that this rank raises
  std::array<std::array<std::array<u32*, 2>, most>, direction::count>
      ghosts_{};                           // of the neighbours: this rank's particles
  std::vector<FieldPlace> mine_, before_;  // lent for this plan, and for the one before
  std::map<const u32*, Address> addresses_;
  std::map<Name, char*> open_;
  std::set<Name> used_, flagsOpen_;
  u32 exchanges_ = 0;
};

// A first exchange in a ring: each rank raises a flag in the next one's memory. Throws on all ranks if that does not
// work.
template <class Peer>
void tryPeerMemory(const Communicator& ranks) {
  constexpr int tag = 98;
  const int next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const DeviceArray<u32> mine("trial flag", 1);
  typename Peer::Address address{}, nexts{};
  ranks.onAll([&] { address = Peer::addressOf(mine.data()); });
  MPI_Sendrecv(&address, sizeof address, MPI_BYTE, before, tag, &nexts, sizeof nexts, MPI_BYTE, next, tag,
               ranks.handle(), MPI_STATUS_IGNORE);
  char* theirs = nullptr;
  ranks.onAll([&] {
    theirs = Peer::open(nexts);
    backend::SideStream side;
    std::array<u32*, direction::count> flags{};
    flags[0] = reinterpret_cast<u32*>(theirs + nexts.offset);
    Peer::raise(side, {flags, 1});
    side.wait();
  });
  u32 seen = 0;
  ranks.onAll([&] {
    copyToHost(&seen, mine.data(), sizeof seen);
    Peer::close(theirs);
  });
  ranks.barrier();
  ranks.onAll([&] {
    if (seen != 1) throw std::runtime_error("what a neighbour's GPU stored did not arrive");
  });
}

}  // namespace mesowarp::comm
