// Area, volume and place of each cell through a run: on one rank by kernels alone, on several with a sum over ranks,
// which the lagged way leaves under way until the next step.
#pragma once

#include <memory>
#include <vector>

#include "comm/device_sums.hpp"
#include "device/host_copy.hpp"
#include "physics/membrane/model/cell_sums.hpp"

namespace mesowarp::membrane {

template <class P>
class CellState {
public:
  using Coord = typename P::Coord;
  // overHost: sums of several ranks go through the host's memory.
  CellState(i64 cells, int vertices, const comm::Communicator* ranks, bool overHost, bool extrapolates)
      : cells_(cells), vertices_(vertices), extrapolates_(extrapolates) {
    const auto n = static_cast<std::size_t>(cells);
    arrays_ = {DeviceArray<i64>("cell sums", n * cellWords), DeviceArray<i64>("cell areas and volumes", 2 * n),
               DeviceArray<i64>("cell areas and volumes before", extrapolates ? n * olderWords : 0),
               DeviceArray<Vec3<Coord>>("cell places", n)};
    if (ranks) ofRanks_ = comm::makeDeviceSums(*ranks, arrays_.sums, overHost);
  }
  CellState(const CellState&) = delete;
  CellState& operator=(const CellState&) = delete;

  const CellArrays<Coord>& arrays() const { return arrays_; }
  bool placed() const { return placed_; }  // places are known
  bool known() const { return known_; }    // areas and volumes are
  std::size_t bytes() const {
    return static_cast<std::size_t>(cells_) * (7 * sizeof(i64) + sizeof(Vec3<Coord>)) +
           arrays_.older.extent(0) * sizeof(i64);
  }

  // Behind the shares of all vertices of this rank; faces: of their step. forNext: what forces are to know is of the
  // next step.
  void addUp(const StepGuard& guard, const ShearFaces<Coord>& faces, bool forNext) {
    start(faces);
    settle(guard, forNext);
  }
  // The same, but what is under way on several ranks stays so until finish().
  void start(const ShearFaces<Coord>& faces) {
    faces_ = faces;
    if (ofRanks_) ofRanks_->start(), underWay_ = true;
  }
  void finish(const StepGuard& guard) { settle(guard, true); }
  void finishBeforeStep() {
    if (underWay_) finish({});
  }
  void nowKnown() { known_ = true; }
  bool underWay() const { return underWay_; }

  // Five words a cell, of all ranks the same, and where they are extrapolated as many again; none before anything is
  // known.
  std::vector<i64> words() const {
    if (!known_) return {};
    const auto known = hostCopy(arrays_.known);
    const auto place = hostCopy(arrays_.place);
    std::vector<i64> all;
    for (std::size_t c = 0; c < static_cast<std::size_t>(cells_); ++c) {
      all.push_back(known(2 * c)), all.push_back(known(2 * c + 1));
      for (int axis = 0; axis < 3; ++axis) all.push_back(static_cast<i64>(static_cast<u64>(place(c)[axis])));
    }
    const auto older = hostCopy(arrays_.older);
    all.insert(all.end(), older.data(), older.data() + older.extent(0));
    return all;
  }
  // False: they are of another number of cells.
  bool restore(const std::vector<i64>& words) {
    const std::size_t five = static_cast<std::size_t>(cells_) * 5;
    if (words.size() != five && words.size() != five + static_cast<std::size_t>(cells_) * olderWords) return false;
    std::vector<i64> known(arrays_.known.extent(0));
    std::vector<Vec3<Coord>> place(arrays_.place.extent(0));
    for (std::size_t c = 0; c < static_cast<std::size_t>(cells_); ++c) {
      known[2 * c] = words[5 * c], known[2 * c + 1] = words[5 * c + 1];
      for (int axis = 0; axis < 3; ++axis)
        place[c][axis] = static_cast<Coord>(static_cast<u64>(words[5 * c + 2 + static_cast<std::size_t>(axis)]));
    }
    refill(arrays_.known, known), refill(arrays_.place, place);
    if (extrapolates_ && words.size() > five)  // one that did not begins with none
      refill(arrays_.older, std::vector<i64>(words.begin() + static_cast<std::ptrdiff_t>(five), words.end()));
    return placed_ = known_ = true;
  }

private:
  void settle(const StepGuard& guard, bool forNext) {
    if (underWay_) ofRanks_->finish(), underWay_ = false;
    Kokkos::parallel_for("settle cells", Range(0, static_cast<int>(cells_)),
                         SettleCells<Coord>{arrays_, vertices_, faces_, extrapolates_ && forNext, guard});
    placed_ = true;
  }
  i64 cells_;
  int vertices_;
  bool extrapolates_;
  CellArrays<Coord> arrays_;
  ShearFaces<Coord> faces_;                    // of the step that sums are of
  std::unique_ptr<comm::DeviceSums> ofRanks_;  // null: one rank
  bool underWay_ = false, placed_ = false, known_ = false;
};

}  // namespace mesowarp::membrane
