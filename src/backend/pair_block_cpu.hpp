// Pair forces on a CPU core, a block of particles at a time. The pairs in range of all particles of the block are copied
// into one buffer (pair_buffer_cpu.hpp), then the force code that a GPU thread runs on one pair runs on the whole buffer,
// vectorised by the compiler, and each particle sums its part in the order of its row. The result of a particle depends
// on its row alone: not on the block, on the number of threads, or on what the compiler made of the loop.
#pragma once

#include <algorithm>

#include "backend/pair_buffer_cpu.hpp"
#include "backend/particle_blocks.hpp"
#include "core/pair_force.hpp"
#include "core/sums.hpp"

namespace mesowarp::backend {

template <class P, class Force, bool OneSpecies, bool Observe>
class PairBlock {
 public:
  using Real = typename P::Real;

  PairBlock(const PairState<P>& state, const PairTable<Force>& pairs)
      : state_(state), pairs_(pairs), inRange_(RangeTest::make(state, pairs.cutoff)) {}

  // Sums of particles first to last - 1, at most `blockSize` of them.
  void sum(int first, int last, PairSum<Real, Observe>* sums) {
    for (int i = first; i < last; ++i) {
      sums[i - first] = {};
      addRow(i, i - first, sums);
    }
    finish(sums);
  }

 private:
  static constexpr int channels = Observe ? 10 : 3;  // force, energy, virial
  static constexpr int mostPieces = 64;
  using Buffer = PairBuffer<P, channels>;

  void addRow(int i, int owner, PairSum<Real, Observe>* sums) {
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
  void finish(PairSum<Real, Observe>* sums) {
    const int padded = pad();
    fetchPairs<Simd, OneSpecies>(state_, owners_, buffer_, padded);
    evaluate(padded);
    for (int p = 0; p < pieceCount_; ++p) addPiece(piece_[p], sums[piece_[p].owner]);
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
      const Real x = static_cast<Real>(b.x[k]) * tick.x, y = static_cast<Real>(b.y[k]) * tick.y,
                 z = static_cast<Real>(b.z[k]) * tick.z;
      PairInput<Real> input{math::larger(x * x + y * y + z * z, Real(1e-24)), Real(0), b.signatureI[k], b.signatureJ[k]};
      if constexpr (Force::usesVelocity)
        input.rDotV = x * (Real(b.ux[k]) - Real(b.vx[k])) + y * (Real(b.uy[k]) - Real(b.vy[k])) +
                      z * (Real(b.uz[k]) - Real(b.vz[k]));
      const auto t = Force::evaluate(OneSpecies ? only : table[b.speciesI[k] * species + b.speciesJ[k]], input);
      const Real fx = t.forceOverR * x, fy = t.forceOverR * y, fz = t.forceOverR * z;
      b.term[0][k] = fx, b.term[1][k] = fy, b.term[2][k] = fz;
      if constexpr (Observe) {
        b.term[3][k] = t.energy;
        b.term[4][k] = x * fx, b.term[5][k] = y * fy, b.term[6][k] = z * fz;
        b.term[7][k] = x * fy, b.term[8][k] = x * fz, b.term[9][k] = y * fz;
      }
    }
  }

  // Pairs of one row, or of one piece of a long row, in the buffer.
  struct Piece {
    int owner, begin, end;
  };
  void addPiece(const Piece& piece, PairSum<Real, Observe>& sum) const {
    Real total[channels];
    sumEach<channels>(buffer_.term, piece.begin, piece.end - piece.begin, total);
    sum.force.x += total[0], sum.force.y += total[1], sum.force.z += total[2];
    if constexpr (Observe) {
      sum.energy += Real(0.5) * total[3];
      for (int c = 0; c < 6; ++c) sum.virial[c] += Real(0.5) * total[4 + c];
    }
  }

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
  using Real = typename Kernel::Real;
  using Prepared = typename Kernel::Epilogue::Prepared;
  Kernel kernel;
  ParticleBlocks blocks;

  void operator()(int k) const {
    PairSum<Real, false> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize, count = begin(block, sum, prepared);
    for (int l = 0; l < count; ++l) kernel.epilogue(first + l, sum[l].force, prepared[l]);
  }
  void operator()(int k, ThermoSums& thermo) const {
    PairSum<Real, true> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize, count = begin(block, sum, prepared);
    for (int l = 0; l < count; ++l) {
      sum[l].addTo(thermo);
      kernel.epilogue(first + l, sum[l].force, prepared[l], thermo);
    }
  }

 private:
  // Returns the number of particles in the block.
  template <bool Observe>
  int begin(int block, PairSum<Real, Observe>* sum, Prepared* prepared) const {
    const int first = block * blockSize, count = std::min(blockSize, blocks.particles - first);
    PairBlock<typename Kernel::P, typename Kernel::Force, Kernel::oneSpecies, Observe>(kernel.state, kernel.pairs)
        .sum(first, first + count, sum);
    const auto& epilogue = kernel.epilogue;
#pragma omp simd
    for (int l = 0; l < count; ++l) prepared[l] = epilogue.prepare(first + l);
    return count;
  }
};

}  // namespace mesowarp::backend
