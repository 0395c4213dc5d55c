// The engine for one precision mode. Included only by engine_*.device.cpp.
#pragma once

#include "physics/fluid/box_forces.hpp"
#include "step/engine.hpp"
#include "state/list_interval.hpp"
#include "state/state_hash.hpp"
#include "kernels/sort/sort.hpp"
#include "device/step_graph.hpp"
#include "device/stream_event.hpp"
#include "comm/halo.hpp"
#include "comm/migration.hpp"
#include "comm/transports.hpp"
#include "grid/cells.hpp"
#include "state/neighbor_list.hpp"
#include "state/rebuild_kernels.hpp"
#include "kernels/pairs/step_context.hpp"

namespace mesowarp {

template <class P>
class EngineOf final : public Engine {
public:
  using Coord = typename P::Coord;
  using Real = typename P::Real;

  EngineOf(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort = backend::defaultSort,
           const RankPart& part = {});

  void initialize(const HostParticles& particles) override;
  void rebuildIfDue(i64 step) override;
  void advance(i64 step, const Wanted& wanted) override;
  const ThermoSums& sums() const override { return sums_; }
  io::Snapshot snapshot(i64 step) const override;
  void addProfile(int axis, std::vector<BinSums>& bins) override;
  std::string stateHash() const override;
  std::optional<std::string> failure() override;
  EngineCounters counters() const override;
  std::size_t memoryBytes() const override;
  i64 particles() const override { return part_.ranks ? part_.allParticles : arrays_.count; }
  std::string transportName() const override { return halo_ ? halo_->transport().name() : ""; }
  std::string transportReason() const override { return transportReason_; }
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) override;
  void restore(const io::CheckpointContent& content, KeepList keep) override;

private:
  template <class>
  friend class EngineParts;  // times the parts of a step (bench_parts.device.cpp)

  bool rebuildDue(i64 step) const;
  void rebuild(i64 step);
  // Where the host would have to wait for each step to see whether a list may be used once more, it does not: it plans
  // (interval_).
  bool looksLate() const {
    return backend::onGpu && !part_.ranks && deck_.neighbor.rebuild == input::RebuildStyle::displacement;
  }
  i64 plannedSteps() const;
  void lookSoon(i64 step);
  i64 firstStopped();
  void repeatFrom(i64 step);
  // On several ranks: engine_impl_ranks.hpp.
  void migrate();
  void packLeavers(bool next, bool again);
  void exchangeGhostsAndBuild();
  void planGhosts();
  void ensureRoom(int particles);
  void splitBlocks();
  void receiveGhosts();
  void finishOverlapped(PairState<P> state, const Epilogue<P>& epilogue, bool ghostsNeeded, ThermoSums* sums);
  bool rebuildIsNext(i64 step) const;
  void settle() const;
  bool graphPays() const;
  void sortParticles();
  backend::SortedOrder sortedOrder();
  void reorder(const backend::SortedOrder& sorted);
  void buildList(ListPart part = ListPart::all);
  bool completeList();
  void confirmList();
  void confirmForNext();
  StepGuard guard(i64 step) const;
  void launchStep(i64 step, const Wanted& wanted);
  void sumBonds(i64 step, ThermoSums* sums);
  void keepPositionLow(const Wanted& wanted);
  Epilogue<P> makeEpilogue(i64 step, const Wanted& wanted);
  StateView<P> view(bool next) const;
  void makeMovers();
  void makeBonds();
  std::vector<u32> bondedTags() const;
  void orderByTags(io::Snapshot& snapshot) const;
  void hashAlone(StateHash& hash) const;
  void hashTogether(StateHash& hash) const;
  std::vector<std::pair<FieldBase*, std::size_t>> checkpointedFields() const;
  void checkRows(const io::CheckpointContent& content) const;
  bool storedInOrder();
  void resumeList();
  void shareOut(const io::CheckpointContent& content);
  void countCrossings();
  std::optional<std::string> bitsInDoubt() const;
  std::string describe(StepFlags::Event event, i64 step, u32 tag) const;

  input::Deck deck_;
  RankPart part_;
  Box box_;
  std::unique_ptr<BoxForces<P>> forces_;
  double cutoff_, reach_;
  CellGrid grid_;
  ParticleArrays<P> arrays_;
  NeighborList list_;
  backend::Sorter sorter_;
  Workspace workspace_;
  DeviceArray<u32> keys_;
  DeviceArray<int> indexOfTag_;
  SummedForces summed_;  // where bonds or several pair forces add up
  DeviceArray<Vec3<Real>> observedVelocity_, observedForce_;
  DeviceArray<Vec3<u32>> observedLow_;
  DeviceArray<Real> mass_, inverseMass_;
  DeviceArray<i32> excludes_;  // of each bond type; empty: none does
  Mover<MasterCoord<P>, Real> mover_;
  Drives<Coord, Real> drives_;
  StepFlags flags_;
  ThermoSums sums_;
  Wanted observed_;  // of the last step
  EngineCounters counters_;
  bool listBuilt_ = false;
  int buildsHere_ = 0;                // by this process
  mutable backend::StepGraph graph_;  // steps of small systems, from a rebuild on
  std::vector<i64> unconfirmed_;      // steps launched of which it is not known that they did anything
  ListInterval interval_;
  backend::StreamEvent look_;  // behind the step whose outcome tells whether a list lasted as long as planned
  i64 lookedFor_ = -1;         // that step
  // On several ranks.
  std::unique_ptr<comm::Migration> migration_;
  std::unique_ptr<comm::Halo> halo_;
  std::string transportReason_;
  bool migrationUnderWay_ = false;           // leavers of the state to come have been sent, and others have arrived
  bool arrivalsStored_ = false;              // and these lie behind the others already
  DeviceArray<int> blockFlags_, blockList_;  // blocks of particles: those near the border, then the others
  Kokkos::View<int, backend::SharedSpace> borderBlocks_{"blocks at the border"};
};

template <class T, class V>
DeviceArray<T> toDevice(const char* label, const std::vector<V>& values) {
  DeviceArray<T> device(std::string(label), values.size());
  auto host = Kokkos::create_mirror_view(device);
  for (std::size_t k = 0; k < values.size(); ++k) host(k) = static_cast<T>(values[k]);
  Kokkos::deep_copy(device, host);
  return device;
}

}  // namespace mesowarp

#include "step/engine_impl_checkpoint.hpp"
#include "step/engine_impl_hash.hpp"
#include "step/engine_impl_output.hpp"
#include "step/engine_impl_ranks.hpp"
#include "step/engine_impl_rebuild.hpp"
#include "step/engine_impl_step.hpp"

namespace mesowarp {

// In engine_single, _mixed, _double.device.cpp, and nowhere else.
extern template class EngineOf<SinglePrecision>;
extern template class EngineOf<MixedPrecision>;
extern template class EngineOf<DoublePrecision>;

}  // namespace mesowarp
