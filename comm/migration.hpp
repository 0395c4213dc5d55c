// Particles that have left a rank's domain go to the neighbour that they are with now, one of 26, with all their fields
// that move. Arrivals are stored behind the others; the sort has one cell more, for those that left, and they are not
// stored again.
#pragma once

#include "comm/communicator.hpp"
#include "core/domain.hpp"
#include "device/side_stream.hpp"
#include "grid/field_rows.hpp"
#include "grid/leavers.hpp"

namespace mesowarp::comm {

// Of those that go one way: by their particles' numbers, so that the same run stores its arrivals in the same order;
// or as they are found, at a cost that does not grow with the square of their number.
enum class LeaverOrder { byNumber, any };

class Migration {
public:
  Migration(const Communicator& ranks, const Domain& domain, int particles, LeaverOrder order = LeaverOrder::byNumber);

  // For the kernel that finds leavers, on the side stream; emptied.
  Leavers leavers(backend::SideStream& side);
  // Packs the leavers' rows, there; behind each that of the parked fields.
  void pack(const FieldRows& rows, backend::SideStream& side, const ParkedRows& parked = {});
  // Waits for that. False: there was no room for all; find and pack them again.
  bool packed(backend::SideStream& side);
  // Collective: sends them. How many have come: arrived(); where these are stored: unpack(), on a stream.
  void exchange();
  void unpack(const FieldRows& rows, int firstIndex, const Execution& stream, const ParkedRows& parked = {}) const;
  // The first ones go to these places instead, the others behind firstIndex.
  void unpack(const FieldRows& rows, const DeviceArray<int>& places, int count, int firstIndex,
              const Execution& stream) const;

  int left() const { return left_; }
  int arrived() const { return arrived_; }
  i64 migrated() const { return migrated_; }

private:
  using SharedInts = Kokkos::View<int*, backend::SharedSpace>;
  using SharedBytes = Kokkos::View<char*, backend::SharedSpace>;
  void reserve(int leavers);

  MPI_Comm ranks_;
  std::array<int, direction::count> neighbor_;  // -1: none
  Leavers list_;
  SharedInts report_;  // leavers in all, then of each way
  SharedBytes send_, receive_;
  DeviceArray<int> packed_;  // of each way; where any order will do
  std::size_t rowBytes_ = 0;
  int capacity_ = 0, left_ = 0, arrived_ = 0;
  i64 migrated_ = 0;
};

}  // namespace mesowarp::comm
