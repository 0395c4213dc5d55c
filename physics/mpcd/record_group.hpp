// Records of several cells at once, on a CPU: their sums side by side, then all records in one loop without a branch,
// of which GCC makes vectors (tests/vectors/solvent_loops.cpp): with a thermostat a record is some 300 instructions.
// Its energies are those of a first try, which is the right one for 199 of 200 cells; of the others records are made
// once more, one by one. Same operations, same bits.
#pragma once

#include "physics/mpcd/collision_rules.hpp"

namespace mesowarp::mpcd {

template <class Rule, int N>
class RecordGroup {
public:
  using Number = typename Rule::Number;

  // id: the cell's number on all ranks. No more than N before clear().
  void add(int cell, u64 id, const CellSums& sums) {
    cell_[size_] = cell, id_[size_] = id;
    count_[size_] = sums.count, mass_[size_] = sums.mass, squared_[size_] = sums.squared;
    for (int a = 0; a < 3; ++a) velocity_[a][size_] = sums.velocity[a];
    ++size_;
  }
  int size() const { return size_; }
  void clear() { size_ = 0; }

  [[gnu::noinline]] void make(const Rule& rule, const CellTask& task) {
    for (int q = 0; q < N; ++q) {
      Number to[Rule::recordNumbers];
      bool sure = true;
      rule.record(task, sumsOf(q), id_[q], FirstEnergyOfCell{sure}, to);
      again_[q] = sure ? 0 : 1;
      for (int k = 0; k < Rule::recordNumbers; ++k) record_[k][q] = to[k];
    }
  }
  // Of number q: its cell, and its record.
  int record(int q, const Rule& rule, const CellTask& task, Number* to) const {
    if (again_[q] != 0)
      rule.record(task, sumsOf(q), id_[q], to);
    else
      for (int k = 0; k < Rule::recordNumbers; ++k) to[k] = record_[k][q];
    return cell_[q];
  }

private:
  CellSums sumsOf(int q) const {
    const double velocity[3] = {velocity_[0][q], velocity_[1][q], velocity_[2][q]};
    return {count_[q], mass_[q], velocity, squared_[q]};
  }

  int size_ = 0, cell_[N]{}, count_[N]{}, again_[N]{};
  u64 id_[N]{};
  double mass_[N]{}, squared_[N]{}, velocity_[3][N]{};
  Number record_[Rule::recordNumbers][N]{};
};

}  // namespace mesowarp::mpcd
