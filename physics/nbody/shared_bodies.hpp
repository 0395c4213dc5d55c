// What a law reads of all bodies, of which each rank packs its own and sends it to every other
// (comm/piece_exchange.hpp, nonblocking; on a GPU from and to pinned memory by the side stream). The others' arrive
// while the own ones are being summed: SumOfPieces takes the j block by block as they come. Every block's parts have a
// place of their own among the totals, which are merged in the order of blocks, so it does not matter which came first.
// BodyForce::largestSum(), potential() and the table's sums go over the ranks in the same way.
#pragma once

#include <memory>

#include "comm/piece_exchange.hpp"
#include "device/memory/bytes.hpp"
#include "device/side_stream.hpp"
#include "physics/nbody/body.hpp"
#include "physics/nbody/body_share.hpp"

namespace mesowarp::nbody {

template <class Law>
struct PackBodies {
  BodyView view;
  DeviceArray<typename Law::Body> bodies;
  int first;  // of `bodies`
  double factor;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { bodies(first + i) = Law::pack(view, i, factor); }
};

template <class Body>
class SharedBodies {
public:
  explicit SharedBodies(const BodyShare& share)
      : share_(share), all_(Kokkos::view_alloc("bodies", Kokkos::WithoutInitializing), share.total()) {
    if (!share.ranks()) return;
    exchange_ = std::make_unique<comm::PieceExchange>(*share.ranks());
    if constexpr (backend::onGpu)
      staging_ = decltype(staging_)(Kokkos::view_alloc("bodies, staged", Kokkos::WithoutInitializing), share.total());
    else
      staging_ = all_;
    for (int piece = 0; piece <= share.pieces(); ++piece)
      firstByte_.push_back(static_cast<std::size_t>(share.firstOf(piece)) * sizeof(Body));
  }
  const DeviceArray<Body>& all() const { return all_; }
  std::size_t bytes() const { return all_.extent(0) * sizeof(Body); }

  // The bodies of this rank. Collective.
  template <class Law>
  void load(const BodyView& own, double factor) {
    if (exchange_) exchange_->finish();
    Kokkos::parallel_for("pack bodies", Range(0, own.count()), PackBodies<Law>{own, all_, share_.first(), factor});
    fresh_ = true;
    if (!exchange_) return;
    side_.afterMain();
    copy(staging_, all_, share_.own());
  }

  // Over those of all ranks. Collective. On a GPU the host asks for the sum over this rank's bodies first and sends
  // them while it runs; a CPU sends them before it is busy.
  template <class Law, template <class> class SumOf>
  void sum(const char* label, backend::PairsTask<Law> task, backend::PairsWorkspace& workspace) {
    task.bodies = all_, task.base = share_.first();
    backend::SumOfPieces<Law, SumOf> pieces(label, task, share_.ranges(), workspace);
    sumPieces(pieces);
  }

private:
  // Not inlined: it is the same for all laws.
  [[gnu::noinline]] void sumPieces(backend::PiecewiseSum& sum) {
    if (!backend::onGpu) send();
    sum.add(static_cast<std::size_t>(share_.own()));
    if (backend::onGpu) send();
    for (int round = 1; round < share_.pieces(); ++round) {
      const int piece = exchange_->rankOf(round);
      if (fresh_) receive(round, piece);
      sum.add(static_cast<std::size_t>(piece));
    }
    fresh_ = false;
    sum.finish();
  }
  void send() {
    if (!exchange_ || !fresh_) return;
    side_.wait();
    exchange_->start(reinterpret_cast<char*>(staging_.data()), firstByte_);
  }
  void receive(int round, int piece) {
    exchange_->wait(round);
    copy(all_, staging_, piece);
    side_.beforeMain();
  }
  // A piece, on the side stream; on a CPU the two arrays are one.
  template <class To, class From>
  void copy(const To& to, const From& from, int piece) {
    if constexpr (backend::onGpu) {
      const auto first = share_.firstOf(piece), end = share_.firstOf(piece + 1);
      copyOn(side_.instance(), to.data() + first, from.data() + first,
             static_cast<std::size_t>(end - first) * sizeof(Body));
    }
  }

  BodyShare share_;
  DeviceArray<Body> all_;
  typename Kokkos::View<Body*, backend::SharedSpace> staging_;
  std::unique_ptr<comm::PieceExchange> exchange_;
  std::vector<std::size_t> firstByte_;
  backend::SideStream side_;
  bool fresh_ = false;  // loaded, and not summed yet
};

}  // namespace mesowarp::nbody
