// The CPU's other loops that are to be vectors, for test_vector_loops.py as pair_loops.hpp has the pairs'.
#include "device/tag_random.cpp"
#include "kernels/pairs/pair_block_cpu.hpp"
#include "kernels/rows/cell_rows_cpu.hpp"

namespace mesowarp::test {

// Prepares what VerletEpilogue does.
struct Signing {
  static constexpr bool last = true;
  using Prepared = u32;
  DeviceArray<u32> tag;
  StepKey key;
  template <class Keys>
  Keys prepared(Keys tags) const {
    return signatures(tags, key);
  }
};
// Draws what TagDraws does.
struct Drawing {
  StepKey key;
  u32 index;
  Words operator()(u32 tag) const { return draw(key, tag, index); }
};
constexpr int padded = 784;
using AllParts = backend::FetchedParts<true, true, true>;
template <class P>
using Fetched = backend::PairBuffer<P, typename P::Real, 3>;

}  // namespace mesowarp::test

namespace mesowarp::backend {

template void drawInALoop(const test::Drawing&, const u32*, int, u32*, u32*);
template void prepareBlock(const test::Signing&, int, int, u32*);
template int RowsOfCells<u32>::row(int, i64, bool, const RowCandidates&) const;
template int RowsOfCells<u64>::row(int, i64, bool, const RowCandidates&) const;
template void RowsOfCells<u32>::gatherNear(int, const CellBounds<Simd>&, RowCandidates&) const;
template void RowsOfCells<u64>::gatherNear(int, const CellBounds<Simd>&, RowCandidates&) const;
template int CandidateRun<Simd, 768>::select(const PairPosition<u32>*, const PairOwners<SinglePrecision>&, RangeTest,
                                             int*, int);
template int CandidateRun<Simd, 768>::select(const PairPosition<u64>*, const PairOwners<DoublePrecision>&, RangeTest,
                                             int*, int);
template void fetchPairs<Simd, test::AllParts>(const PairState<SinglePrecision>&, const PairOwners<SinglePrecision>&,
                                               test::Fetched<SinglePrecision>&, int);
template void fetchPairs<Simd, test::AllParts>(const PairState<DoublePrecision>&, const PairOwners<DoublePrecision>&,
                                               test::Fetched<DoublePrecision>&, int);
template void sumEach<3>(float (*)[test::padded], int, int, float*);
template void sumEach<3>(double (*)[test::padded], int, int, double*);
template void PieceTerms<WideSum<float>>::add<3>(float (*)[test::padded], int, int, PlainTotal<double>*);
template void PieceTerms<TakahashiIitakaSum<float>>::add<3>(float (*)[test::padded], int, int, PlainTotal<double>*);
template void PieceTerms<ModifiedNitadoriSum<float>>::add<3>(float (*)[test::padded], int, int, PlainTotal<double>*);
template void PieceTerms<FixedSum<float>>::add<3>(u32 (*)[test::padded], int, int, FixedTotal*);
template void PieceTerms<FixedSum<double>>::add<3>(u64 (*)[test::padded], int, int, FixedTotalOf<51>*);

}  // namespace mesowarp::backend
