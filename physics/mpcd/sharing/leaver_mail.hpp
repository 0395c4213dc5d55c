// Rows of leavers, by the transport that sums of shared cells travel by: where GPUs store into each other's memory,
// nothing of a leaver passes the host, which learns the numbers alone. A neighbour has so many places for each way; if
// more go there, no rank keeps what came, and all send theirs as messages (comm/migration.hpp).
#pragma once

#include <array>

#include "comm/transport/transports.hpp"
#include "grid/leavers.hpp"
#include "state/fields.hpp"

namespace mesowarp::mpcd {

class LeaverMail {
public:
  // rowWords: of a leaver, of 32 bits. particles: of this rank, about. Collective.
  LeaverMail(const comm::Communicator& ranks, const Domain& domain, TransportStyle style, int rowWords, int particles);

  // Packs and sends, on the side stream. Collective.
  void send(const FieldRows& rows, const Leavers& leavers, backend::SideStream& side);
  // Waits for what comes. False: somewhere there was no room for all. Collective.
  bool receive(backend::SideStream& side);
  int left() const { return left_; }
  int arrived() const { return arrived_; }
  // The first ones go to these places, the others behind firstIndex.
  void unpack(const FieldRows& rows, const DeviceArray<int>& places, int count, int firstIndex) const;
  std::size_t bytes() const { return fields_.bytes(); }

private:
  using SharedInts = Kokkos::View<int*, backend::SharedSpace>;
  const comm::Communicator& ranks_;
  comm::ChosenTransport chosen_;
  FieldRegistry fields_;
  std::shared_ptr<Field<u32>> came_;  // of each way a row whose first word is how many follow, and their places
  comm::GhostPlan plan_;
  DeviceArray<int> packed_;  // of each way
  SharedInts report_;        // leavers in all, then those that come, of each way
  std::array<int, direction::count> room_{};
  int rowWords_, capacity_ = 0, known_ = 0, left_ = 0, arrived_ = 0;
  const u32* from_[direction::count] = {};
};

}  // namespace mesowarp::mpcd
