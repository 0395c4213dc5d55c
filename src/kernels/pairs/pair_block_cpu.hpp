// Pair forces on a CPU core, a block of 16 particles at a time:
//
//   1. filter (row_filter_cpu.hpp): the block's rows are read as one run in vectors of 16 (AVX2: 8) candidates; the
//      indices of those in range are stored side by side, together with the particle's place in the block. Distances
//      are compared in single precision, rounded outwards.
//   2. fetch: positions and velocities of all partners of the block, a whole vector at a time, and those of the
//      particles i, looked up by their place in the block. Only the block's last vector is padded.
//   3. evaluate (PairLoop): a loop over the whole buffer, a vector of pairs at a time, runs the same code that a GPU
//      thread runs on one pair: evaluate() is a template over the number, and a CPU's number is a vector
//      (device/pair_lanes_cpu.hpp). It is all that is compiled for each force, and called through a pointer once a
//      buffer; the rest is compiled for each shape of forces (PairShape).
//   4. sum (piece_sums_cpu.hpp): each particle adds up its part of the results, in the usual modes eight lanes in the
//      order of its row, then the lanes pairwise. Pieces of at most 256 candidates of a long row are summed apart and
//      then added.
//   5. epilogue of the 16 particles; what of it has no branches (the signature of the next step, prepare()) is computed
//      for all of them side by side.
//
// The result of a particle depends on its row alone: not on the block, on the number of threads, on the width of the
// vectors, or on what the compiler made of the loop.
#pragma once

#include <algorithm>
#include <cstring>

#include "core/sums.hpp"
#include "device/pair_lanes_cpu.hpp"
#include "kernels/pairs/for_each.hpp"
#include "kernels/pairs/own_values.hpp"
#include "kernels/pairs/pair_buffer_cpu.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "kernels/pairs/piece_sums_cpu.hpp"
#include "kernels/pairs/row_filter_cpu.hpp"

namespace mesowarp::backend {

// Coefficients of the pairs in the lanes of V, looked up where there are several species.
template <class Force, class V, bool OneSpecies>
class PairCoefficients {
public:
  using Of = typename Force::template CoefficientsOf<V>;
  using Scalar = typename Force::Real;
  explicit PairCoefficients(const CoefficientTable<Force>& pairs)
      : table_(reinterpret_cast<const Scalar*>(pairs.table)), species_(static_cast<u32>(pairs.species)) {
    if constexpr (OneSpecies) {
      Scalar one[count];
      std::memcpy(one, &pairs.only, sizeof(one));
      forEach<count>([&](int c) { set(only_, c, V(one[c])); });
    }
  }
  decltype(auto) of([[maybe_unused]] const u32* speciesI, [[maybe_unused]] const u32* speciesJ) const {
    if constexpr (OneSpecies)
      return (only_);
    else
      return lookedUp(loadAs<Keys>(speciesI) * species_ + loadAs<Keys>(speciesJ));
  }

private:
  using Stored = typename Force::Coefficients;
  static constexpr int count = sizeof(Stored) / sizeof(Scalar);
  static_assert(sizeof(Of) == count * sizeof(V), "coefficients are numbers of one type");
  struct None {};
  static void set(Of& coefficients, int c, const V& v) {
    std::memcpy(reinterpret_cast<char*>(&coefficients) + c * sizeof(V), static_cast<const void*>(&v), sizeof(V));
  }
  Of lookedUp(const Keys& pair) const {
    const Keys at = pair * static_cast<u32>(count);
    Of found;
    forEach<count>([&](int c) { set(found, c, gather(table_ + c, at, V())); });
    return found;
  }
  const Scalar* table_;
  Keys species_;
  std::conditional_t<OneSpecies, Of, None> only_;
};

// Numbers that a force reads by itself of the particles in the lanes, field by field.
template <int F, class Force, class V>
void gatherOwn(const OwnReads<Force>& reads, const Keys& particle, V* own) {
  using Own = typename Force::Reads::Own;
  if constexpr (F < Own::count) {
    constexpr int width = Own::template Of<F>::width;
    const Keys at = particle * static_cast<u32>(reads.template strideOf<F>());
    forEach<width>([&](int c) { own[c] = gather(reads.field[F] + c, at, V()); });
    gatherOwn<F + 1>(reads, particle, own + width);
  }
}

// What the traversal needs to know of a force, and all that it does: forces of the same shape share it, and bring their
// loop over the buffer alone (PairLoop).
template <class P_, class Sum_, class Parts, int OwnSums>
struct PairShape {
  using P = P_;
  using Sum = Sum_;
  using Fetched = Parts;
  static constexpr int ownSums = OwnSums;
  using Terms = PieceTerms<Sum>;
  template <bool Observe>
  using Totals = PairTotals<typename Sum::Total, Observe, ownSums>;
  template <bool Observe>
  using Buffer = PairBuffer<P, typename Terms::Slot, pairChannels<Observe, ownSums> * Terms::slots>;
  // The loop over a buffer that holds so many pairs, a multiple of 16, of particles from `first` on.
  template <bool Observe>
  using Loop = void (*)(const void* forces, Buffer<Observe>& buffer, u32 first, int pairs);
  // What becomes of the own sums of particle i.
  using CloseOwn = void (*)(const void* forces, int i, const typename Sum::Total* own);
};
template <class Forces>
using PairShapeOf =
    PairShape<typename Forces::P, typename Forces::Sum,
              FetchedParts<Forces::Force::Reads::velocity, Forces::Force::Reads::noise, !Forces::oneSpecies>,
              Forces::Force::Sums::Own::width>;

template <class Shape, bool Observe>
class PairBlock {
public:
  using P = typename Shape::P;
  using Totals = typename Shape::template Totals<Observe>;
  using Loop = typename Shape::template Loop<Observe>;

  PairBlock(const PairState<P>& state, const RangeTest& inRange, Loop loop, const void* forces)
      : state_(state), inRange_(inRange), loop_(loop), forces_(forces) {}

  // Sums of particles first to last - 1, at most `blockSize` of them. Not inlined: it is the same for all epilogues.
  [[gnu::noinline]] void sum(int first, int last, Totals* sums) {
    first_ = static_cast<u32>(first);
    owners_.template load<Simd, Fetched::velocityRecord>(state_, first, last - first);
    for (int i = first; i < last; ++i) {
      sums[i - first] = {};
      addRow(i, i - first, sums);
    }
    finish(sums);
  }

private:
  using Fetched = typename Shape::Fetched;
  static constexpr int channels = pairChannels<Observe, Shape::ownSums>;
  static constexpr int mostPieces = 64;
  using Terms = typename Shape::Terms;
  using Buffer = typename Shape::template Buffer<Observe>;

  void addRow(int i, int owner, Totals* sums) {
    const int* row = state_.neighbors.entries.data() + state_.neighbors.start(i);
    const int size = state_.neighbors.size(i);
    for (int k = 0; k < size; k += Buffer::rowPiece)
      addPiece(row + k, std::min(size - k, Buffer::rowPiece), owner, sums);
  }
  void addPiece(const int* candidates, int size, int owner, Totals* sums) {
    if (pieceCount_ == mostPieces || !run_.takes(candidates, size, owner, Buffer::capacity - pairCount_)) {
      select();
      if (pieceCount_ == mostPieces || pairCount_ + size > Buffer::capacity) finish(sums);
    }
    piece_[pieceCount_++] = {owner, run_.add(candidates, size, owner)};
  }

  // Puts the pairs of the run that are in range into the buffer.
  void select() {
    if (run_.empty()) return;
    pairCount_ = run_.select(state_.position.data(), owners_, inRange_, buffer_.index, pairCount_);
    for (; selected_ < pieceCount_; ++selected_) piece_[selected_].begin = run_.before(piece_[selected_].begin);
    run_.clear();
  }

  // Evaluates what is in the run and the buffer, adds it to the sums and empties both.
  void finish(Totals* sums) {
    select();
    piece_[pieceCount_].begin = pairCount_;
    for (int p = 0; p < pieceCount_; ++p)
      buffer_.template fillOwner<Simd>(piece_[p].begin, piece_[p + 1].begin, static_cast<u32>(piece_[p].owner));
    const int padded = buffer_.template pad<Simd>(pairCount_);
    fetchPairs<Simd, Fetched>(state_, owners_, buffer_, padded);
    loop_(forces_, buffer_, first_, padded);
    addUp(sums);
    pairCount_ = pieceCount_ = selected_ = 0;
  }

  [[gnu::flatten]] void addUp(Totals* sums) {
    for (int p = 0; p < pieceCount_; ++p)
      Terms::template add<channels>(buffer_.term, piece_[p].begin, piece_[p + 1].begin - piece_[p].begin,
                                    sums[piece_[p].owner].channel);
  }

  // A row, or a piece of a long one: place of its particle in the block, and where its candidates begin in the run,
  // then its pairs in the buffer; they end where the next piece's begin.
  struct Piece {
    int owner, begin;
  };
  Buffer buffer_;
  const PairState<P>& state_;
  const RangeTest inRange_;
  const Loop loop_;
  const void* const forces_;
  u32 first_ = 0;
  int pairCount_ = 0, pieceCount_ = 0, selected_ = 0;  // pieces whose pairs are in the buffer
  Piece piece_[mostPieces + 1];
  CandidateRun<Simd, Buffer::capacity> run_;
  PairOwners<P> owners_;
};

// A force's loop over the pairs of a buffer.
template <class Forces, bool Observe>
class PairLoop {
public:
  using Force = typename Forces::Force;
  using V = PairNumbers<typename Forces::P::Real>;
  using Shape = PairShapeOf<Forces>;
  using Buffer = typename Shape::template Buffer<Observe>;

  static void run(const void* forces, Buffer& buffer, u32 first, int n) {
    PairLoop(*static_cast<const Forces*>(forces), buffer, first).evaluate(n);
  }
  PairLoop(const Forces& forces, Buffer& buffer, u32 first)
      : state_(forces.state), pairs_(forces.pairs), reads_(forces.reads), first_(first), buffer_(buffer) {}

private:
  static constexpr bool oneSpecies = Forces::oneSpecies;
  using Fetched = typename Shape::Fetched;
  static constexpr int ownReads = Force::Reads::Own::width, ownSums = Shape::ownSums;
  using Terms = typename Shape::Terms;

  // n: a multiple of 16.
  [[gnu::flatten]] void evaluate(int n) {
    const Buffer& b = buffer_;
    const Vec3<V> tick{V(state_.tick.x), V(state_.tick.y), V(state_.tick.z)};
    const PairCoefficients<Force, V, oneSpecies> coefficients(pairs_);
    for (int k = 0; k < n; k += V::width) {
      const Vec3<V> r{loadAs<V>(b.x + k) * tick.x, loadAs<V>(b.y + k) * tick.y, loadAs<V>(b.z + k) * tick.z};
      Vec3<V> relative{};
      if constexpr (Fetched::velocity)
        relative = {loadAs<V>(b.ux + k) - loadAs<V>(b.vx + k), loadAs<V>(b.uy + k) - loadAs<V>(b.vy + k),
                    loadAs<V>(b.uz + k) - loadAs<V>(b.vz + k)};
      Keys signatureI, signatureJ;
      if constexpr (Fetched::noise)
        signatureI = loadAs<Keys>(b.signatureI + k), signatureJ = loadAs<Keys>(b.signatureJ + k);
      put(k, r,
          evaluatePair<Force>(pairs_, coefficients.of(b.speciesI + k, b.speciesJ + k),
                              withOwn(k, pairInput<Force>(r, relative, signatureI, signatureJ))));
    }
  }
  PairInputOf<Force, V> withOwn(int k, const PairInput<V>& input) const {
    if constexpr (ownReads == 0) {
      return input;
    } else {
      PairInputOf<Force, V> all{input, {}, {}};
      gatherOwn<0>(reads_, loadAs<Keys>(buffer_.owner + k) + Keys(first_), all.ownI);
      gatherOwn<0>(reads_, loadAs<Keys>(buffer_.index + k), all.ownJ);
      return all;
    }
  }
  void put(int k, const Vec3<V>& r, const PairTermOf<Force, V>& term) {
    const Put to{buffer_, k};
    putPair<Observe>(term.forceOverR, term.energy, r, to);
    if constexpr (ownSums > 0) forEach<ownSums>([&](int s) { to(pairChannels<Observe, 0> + s, term.own[s], V(1)); });
  }
  struct Put {
    Buffer& buffer;
    int k;
    void operator()(int c, const V& a, const V& b) const { Terms::store(buffer.term, c, k, a, b); }
  };

  const PairState<typename Forces::P>& state_;
  const CoefficientTable<Force>& pairs_;
  const OwnReads<Force>& reads_;
  const u32 first_;
  Buffer& buffer_;
};

// What the epilogue prepares of the particles from `first` on, at most blockSize.
template <class Epilogue>
[[gnu::flatten]] void prepareBlock(const Epilogue& epilogue, int first, int count,
                                   typename Epilogue::Prepared* prepared) {
  if constexpr (Epilogue::last) {
    u32 tag[blockSize] = {};
    for (int l = 0; l < count; ++l) tag[l] = epilogue.tag(first + l);
    for (int l = 0; l < blockSize; l += Keys::width) store(prepared + l, epilogue.prepared(loadAs<Keys>(tag + l)));
  }
}

// A pair kernel over blocks instead of particles: all of it that does not depend on the force.
template <class Shape, class Epilogue>
struct PairBlockKernel {
  using P = typename Shape::P;
  template <bool Observe>
  using Totals = typename Shape::template Totals<Observe>;
  using Prepared = typename Epilogue::Prepared;
  PairState<P> state;
  RangeTest inRange;
  Epilogue epilogue;
  double unit;  // of a total
  SumGrid grid;
  const void* forces;  // the PairForces that the loops know, and which outlive this
  typename Shape::template Loop<false> loop;
  typename Shape::template Loop<true> observedLoop;
  typename Shape::CloseOwn closeOwn;
  ParticleBlocks blocks;
  double* virial = nullptr;  // of observed steps

  void operator()(int k) const {
    Totals<false> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize, count = begin<false>(loop, block, sum, prepared);
    for (int l = 0; l < count; ++l) {
      close(first + l, sum[l]);
      epilogue(first + l, sum[l].force(), prepared[l]);
    }
  }
  void operator()(int k, ThermoSums& thermo) const {
    Totals<true> sum[blockSize];
    Prepared prepared[blockSize];
    const int block = blocks.block(k), first = block * blockSize,
              count = begin<true>(observedLoop, block, sum, prepared);
    for (int l = 0; l < count; ++l) {
      sum[l].addTo(thermo, unit, grid);
      if (virial) sum[l].addVirialTo(virial + 6 * static_cast<std::size_t>(first + l), unit);
      close(first + l, sum[l]);
      epilogue(first + l, sum[l].force(), prepared[l], thermo);
    }
  }

private:
  template <class T>
  void close(int i, const T& sum) const {
    if constexpr (Shape::ownSums > 0) closeOwn(forces, i, sum.own());
  }
  // Returns the number of particles in the block.
  template <bool Observe>
  int begin(typename Shape::template Loop<Observe> run, int block, Totals<Observe>* sum, Prepared* prepared) const {
    const int first = block * blockSize, count = std::min(blockSize, blocks.particles - first);
    PairBlock<Shape, Observe> pairs(state, inRange, run, forces);
    pairs.sum(first, first + count, sum);
    prepareBlock(epilogue, first, count, prepared);
    return count;
  }
};

template <class Forces>
void closeOwnSums(const void* forces, int i, const typename Forces::Sum::Total* own) {
  const Forces& of = *static_cast<const Forces*>(forces);
  of.sums.close(i, own, of.state);
}

// The kernel that runs a PairKernel, in a plain step or an observed one.
template <bool Observe, class Kernel>
auto blockKernel(const Kernel& kernel, const ParticleBlocks& blocks, double* virial = nullptr) {
  using Forces = typename Kernel::Forces;
  using Shape = PairShapeOf<Forces>;
  PairBlockKernel<Shape, typename Kernel::Epilogue> all{};
  all.state = kernel.state, all.inRange = RangeTest::make(kernel.state, kernel.pairs.cutoff);
  all.epilogue = kernel.epilogue, all.unit = kernel.unit, all.grid = kernel.grid;
  all.forces = static_cast<const Forces*>(&kernel), all.blocks = blocks, all.virial = virial;
  if constexpr (Observe)
    all.observedLoop = PairLoop<Forces, true>::run;
  else
    all.loop = PairLoop<Forces, false>::run;
  if constexpr (Shape::ownSums > 0) all.closeOwn = closeOwnSums<Forces>;
  return all;
}

}  // namespace mesowarp::backend
