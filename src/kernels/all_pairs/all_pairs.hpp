// Sums over all pairs of bodies (pairs_task.hpp says of what), as a launch or piece by piece.
#pragma once

#include <vector>

#include "kernels/all_pairs/pairs_parts.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/all_pairs/all_pairs_gpu.hpp"
#else
#include "kernels/all_pairs/all_pairs_cpu.hpp"
#endif

namespace mesowarp::backend {

// Bodies `first` to `last` - 1.
struct BodyRange {
  int first, last;
};

// A sum whose j come in pieces: add() each, in any order, then finish(). The bits depend on the pieces, not on that
// order.
class PiecewiseSum {
public:
  virtual void add(std::size_t number) = 0;
  virtual void finish() = 0;

protected:
  ~PiecewiseSum() = default;
};

template <class Law, template <class> class SumOf>
class SumOfPieces final : public PiecewiseSum {
public:
  SumOfPieces(const char* label, const PairsView<Law>& task, const std::vector<BodyRange>& pieces,
              PairsWorkspace& workspace)
      : label_(label), task_(task) {
    if (task.activeCount == 0) return;
    int parts = 0;
    for (const auto& piece : pieces) {
      const PairsShape shape = shapeOfPairs<Law, SumOf>(of(piece));
      pieces_.push_back({piece, shape, parts});
      parts += shape.parts;
    }
    parts_ = parts;
    if (parts > 1) totals_ = workspace.take<Total>(static_cast<std::size_t>(parts) * Law::channels * task.activeCount);
  }
  void add(std::size_t number) override {
    if (task_.activeCount == 0) return;
    const Piece& piece = pieces_[number];
    auto* totals =
        totals_ ? totals_ + static_cast<std::size_t>(piece.firstPart) * Law::channels * task_.activeCount : nullptr;
    launchPairs<Law, SumOf>(label_, of(piece.range), piece.shape, totals);
  }
  void finish() override {
    if (totals_) launchMerge("merge parts", MergeParts<Law, SumOf>{task_, totals_, parts_});
  }

private:
  using Total = typename SumOf<typename Law::Scalar>::Total;
  struct Piece {
    BodyRange range;
    PairsShape shape;
    int firstPart;
  };
  PairsView<Law> of(const BodyRange& range) const {
    PairsView<Law> task = task_;
    task.first = range.first, task.last = range.last;
    return task;
  }
  const char* label_;
  PairsView<Law> task_;
  std::vector<Piece> pieces_;
  Total* totals_ = nullptr;  // null: there is one part, which finishes by itself
  int parts_ = 0;
};

template <class Law, template <class> class SumOf>
void sumAllPairs(const char* label, const PairsView<Law>& task, PairsWorkspace& workspace) {
  SumOfPieces<Law, SumOf> sum(label, task, {{task.first, task.last}}, workspace);
  sum.add(0);
  sum.finish();
}

}  // namespace mesowarp::backend
