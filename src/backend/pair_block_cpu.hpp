// Pair forces on a CPU core, a block of particles at a time. The pairs in range of all particles of the block are copied
// into one buffer (pair_buffer_cpu.hpp), then the force code that a GPU thread runs on one pair runs on the whole buffer,
// vectorised by the compiler, and each particle sums its part in the order of its row. The result of a particle depends
// on its row alone: not on the block, on the number of threads, or on what the compiler made of the loop.
#pragma once

#include <algorithm>

#include "backend/pair_buffer_cpu.hpp"
#include "backend/particle_blocks.hpp"
#include "backend/piece_sums_cpu.hpp"
#include "core/pair_force.hpp"
#include "core/sums.hpp"

namespace mesowarp::backend {

template <class Kernel, bool Observe>
class PairBlock {
 public:
  using P = typename Kernel::P;
  using Force = typename Kernel::Force;
  using Real = typename P::Real;
  using Totals = PairTotals<typename Kernel::Sum::Total, Observe>;

  explicit PairBlock(const Kernel& kernel)
      : state_(kernel.state), pairs_(kernel.pairs), inRange_(RangeTest::make(kernel.state, kernel.pairs.cutoff)) {}

  // Sums of particles first to last - 1, at most `blockSize` of them.
  void sum(int first, int last, Totals* sums) {
    for (int i = first; i < last; ++i) {
      sums[i - first] = {};
      addRow(i, i - first, sums);
    }
    finish(sums);
  }

 private:
  static constexpr bool oneSpecies = Kernel::oneSpecies;
  static constexpr int channels = Observe ? observedChannels : forceChannels;
  static constexpr int mostPieces = 64;
  using Terms = PieceTerms<typename Kernel::Sum>;
  using Buffer = PairBuffer<P, typename Terms::Slot, channels * Terms::slots>;

  void addRow(int i, int owner, Totals* sums) {
    const auto here = state_.position(i);
    owners_.set(owner, here, state_.velocity(i));
    const int* row = state_.neighbors.entries.data() + state_.neighbors.start(i);
    const int size = state_.neighbors.size(i);
    for (int k = 0; k < size; k += Buffer::rowPiece) {
      const int part = std::min(size - k, Buffer::rowPiece);
      if (pairCount_ + part > Buffer::capacity || pieceCount_ == mostPieces) finish(sums);
      const int before = pairCount_;
      pairCount_ = appendInRange<Simd>(state_.position.data(), row + k, part, here, static_cast<u32>(owner), inRange_,
                                       buffer_, before);
      piece_[pieceCount_++] = {owner, before, pairCount_};
    }
  }

  // Evaluates what is in the buffer, adds it to the sums and empties the buffer.
  void finish(Totals* sums) {
    const int padded = pad();
    fetchPairs<Simd, oneSpecies>(state_, owners_, buffer_, padded);
    evaluate(padded);
    for (int p = 0; p < pieceCount_; ++p)
      Terms::template add<channels>(buffer_.term, piece_[p].begin, piece_[p].end - piece_[p].begin, sums[piece_[p].owner].channel);
    pairCount_ = pieceCount_ = 0;
  }

  // Fills the last vector of 16 with copies of the last pair, which nobody sums; returns the number of pairs then.
  int pad() {
    const int padded = (pairCount_ + 15) / 16 * 16;
    for (int k = pairCount_; k < padded; ++k)
      buffer_.index[k] = buffer_.index[pairCount_ - 1], buffer_.owner[k] = buffer_.owner[pairCount_ - 1];
    return padded;
  }

  void evaluate(int n) {
    Buffer& b = buffer_;
    const Ticks<Real> tick = state_.tick;
    const auto only = pairs_.only;
    const auto* table = pairs_.table.data();
    const u32 species = static_cast<u32>(pairs_.species);
#pragma omp simd
    for (int k = 0; k < n; ++k) {
      const Vec3<Real> r{static_cast<Real>(b.x[k]) * tick.x, static_cast<Real>(b.y[k]) * tick.y,
                         static_cast<Real>(b.z[k]) * tick.z};
      Vec3<Real> relative{};
      if constexpr (Force::usesVelocity)
        relative = {Real(b.ux[k]) - Real(b.vx[k]), Real(b.uy[k]) - Real(b.vy[k]), Real(b.uz[k]) - Real(b.vz[k])};
      const auto t = Force::evaluate(oneSpecies ? only : table[b.speciesI[k] * species + b.speciesJ[k]],
                                     pairInput<Force>(r, relative, b.signatureI[k], b.signatureJ[k]));
      putPair<Observe>(t.forceOverR, t.energy, r, Put{b, k});
    }
  }
  struct Put {
    Buffer& buffer;
    int k;
    void operator()(int c, Real a, Real b) const { Terms::store(buffer.term, c, k, a, b); }
  };

  // Pairs of one row, or of one piece of a long row, in the buffer.
  struct Piece {
    int owner, begin, end;
  };
  const PairState<P>& state_;
  const PairTable<Force>& pairs_;
  RangeTest inRange_;
  int pairCount_ = 0, pieceCount_ = 0;
  Piece piece_[mostPieces];
  PairOwners<P> owners_;
  Buffer buffer_;
};

// A PairKernel over blocks instead of particles.
template <class Kernel>
struct PairBlockKernel {
  using Total = typename Kernel::Sum::Total;
  using Prepared = typename Kernel::Epilogue::Prepared;
  Kernel kernel;
  ParticleBlocks blocks;

  void operator()(int k) const {
    PairTotals<Total, false> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize, count = begin(block, sum, prepared);
    for (int l = 0; l < count; ++l) kernel.epilogue(first + l, sum[l].force(), prepared[l]);
  }
  void operator()(int k, ThermoSums& thermo) const {
    PairTotals<Total, true> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize, count = begin(block, sum, prepared);
    for (int l = 0; l < count; ++l) {
      sum[l].addTo(thermo, kernel.unit, kernel.grid);
      kernel.epilogue(first + l, sum[l].force(), prepared[l], thermo);
    }
  }

 private:
  // Returns the number of particles in the block.
  template <bool Observe>
  int begin(int block, PairTotals<Total, Observe>* sum, Prepared* prepared) const {
    const int first = block * blockSize, count = std::min(blockSize, blocks.particles - first);
    PairBlock<Kernel, Observe> pairs(kernel);
    pairs.sum(first, first + count, sum);
    const auto& epilogue = kernel.epilogue;
#pragma omp simd
    for (int l = 0; l < count; ++l) prepared[l] = epilogue.prepare(first + l);
    return count;
  }
};

}  // namespace mesowarp::backend
