// Particles in a box, one kind of memory for all that meets in pair forces: fields, cells, neighbour list, ghosts,
// migration. Fields that a method needs beside these it adds to fields() before the first step; whatever is done to all
// fields walks the registry. A template over the precision mode, compiled once for each (box_population_*.device.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/halo.hpp"
#include "comm/late_answer.hpp"
#include "comm/migration.hpp"
#include "comm/rank_part.hpp"
#include "core/box.hpp"
#include "device/stream_event.hpp"
#include "grid/cells.hpp"
#include "grid/shear_images.hpp"
#include "kernels/pairs/pair_state.hpp"
#include "kernels/pairs/summed_forces.hpp"
#include "kernels/sort/sort.hpp"
#include "state/listed_population.hpp"
#include "state/neighbor_list.hpp"
#include "state/parked_fields.hpp"
#include "state/particles.hpp"
#include "state/state_hash.hpp"
#include "state/tag_lookup.hpp"

namespace mesowarp {

struct BoxSettings {
  std::string name = "particles";
  Box box;
  Shear shear;  // not periodic along its gradient
  // Its rate from a step to the next, where that changes; empty: always the same.
  std::function<double(i64 step)> shearRate;
  double cutoff = 0.0, skin = 0.0;                      // of the neighbour list, length
  bool tunesSkin = false;                               // SkinTuner
  double ghostReach = 0.0;                              // of ghosts on several ranks, if more than both, length
  std::function<double(const Box&)> ghostReachIn = {};  // instead, in this box, if it goes by the room there
  ListPolicy list;
  double timestep = 0.0;
  bool bitwise = false;        // a list used for too long is then a failure
  double range = 0.0;          // of fixed-point sums, force; for messages
  std::vector<double> masses;  // of each species
  std::vector<bool> frozen;    // species that keep their places and velocities; empty: none does
  int bondsPerParticle = 0;
  bool looksUpTags = false;  // somebody asks for partners by their tags, as bonds do in any case
  // What a particle is part of, in words for messages; empty, or an empty text: nothing. apart: how far away another
  // particle is, 0 if it is not here; empty: the part of its surroundings that is torn is not asked for.
  std::function<std::string(u32 tag, const std::function<double(u32)>& apart)> partOf;
  std::vector<i32> excludes;  // of each bond type, 1: its pairs stay out of the list; empty: none does
  bool splitVelocity = false, twoResiduals = false;  // ParticleArrays
  bool ghostsHaveVelocities = true;
  std::size_t summedBytes = 0;  // of a particle: what forces leave for the last one; 0: nothing
  SortStyle sort = backend::defaultSort;
};

template <class P>
struct ProfiledParticles;  // state/bins/profile.hpp

template <class P>
class BoxPopulation final : public ListedPopulation {
public:
  using Coord = typename P::Coord;
  using Real = typename P::Real;

  // particles: of this rank. Throws RunError.
  BoxPopulation(BoxSettings settings, int particles, const RankPart& part);

  // For phases.
  ParticleArrays<P>& arrays() { return arrays_; }
  const ParticleArrays<P>& arrays() const { return arrays_; }
  FieldRegistry& fields() { return arrays_.fields; }
  ParkedFields& parkedFields();  // made at the first call
  const BoxSettings& settings() const { return settings_; }
  const NeighborList& list() const { return list_; }
  const CellGrid& grid() const { return grid_; }
  const SummedForces& summed() const { return summed_; }
  double reach() const { return settings_.cutoff + settings_.skin; }
  Ticks<Real> ticks() const { return ticksOf<Real, Coord>(settings_.box); }
  const DeviceArray<Real>& mass() const { return mass_; }                // of each species
  const DeviceArray<Real>& inverseMass() const { return inverseMass_; }  // likewise
  // The index of a particle or ghost by its tag; -1: not here. Where somebody looks up tags.
  const TagLookup& indexOfTag() const { return tagTable_.lookup(); }
  StateView<P> view(bool next) const;
  PairState<P> pairState(StepGuard guard, bool asBuilt) const {
    return {arrays_.position->current, arrays_.velocity->current, list_.table(), ticks(), asBuilt, guard};
  }
  // v_k and f_k of a step, for whoever looks at it and for steps whose kernel is taken apart; made at the first call.
  const DeviceArray<Vec3<Real>>& observedVelocity();
  const DeviceArray<Vec3<Real>>& observedForce();
  // Likewise the lower halves of x_k, in mixed precision.
  const DeviceArray<Vec3<u32>>& observedLow() const { return observedLow_; }

  // In a sheared box: ghosts that come from now on are images of this step, and what is looked at is of this step.
  void imagesAt(i64 step) { step_ = step; }
  ShearFaces<Coord> facesAt(i64 step) const;
  // Of the step that images are of, for what is looked at behind it: a rate that changes has done so by then.
  ShearFaces<Coord> facesNow() const;
  // From this step to the next.
  double shearRateAt(i64 step) const { return settings_.shearRate ? settings_.shearRate(step) : settings_.shear.rate; }

  // On several ranks: whom somebody looks up by tags. lookFor launches a search, with each build of the list; where one
  // is neither here nor a ghost, or soon may not be, ghosts reach further, as far as parts have room, until long after
  // they need not.
  void addSearch(std::function<void(const PartnerSearch&)> lookFor) { searches_.push_back(std::move(lookFor)); }
  // Tags; noBond: an empty slot.
  void addPartners(std::shared_ptr<Field<u32>> partner);
  AskForPartner<Coord> askForPartner(const PartnerSearch& search) const {
    return {search, indexOfTag(), arrays_.built->current};
  }

  // Adds what ghosts hold of a field to the particles that they are copies of; on one rank nothing. T: float, double or
  // i64. Collective.
  template <class T>
  void addGhostsBack(const Field<T>& field) {
    receiveGhosts();  // a later step reads them; here nothing may be under way
    if (halo_) halo_->addBack(field.current.data(), static_cast<int>(field.width()));
  }

  // In the middle of a step, behind a phase that has changed what changes in every step: ghosts get it as it is now; on
  // one rank nothing. No rank may still read its ghosts. Collective.
  void refreshGhosts();

  // In the middle of a step, behind a phase that has summed what ghosts have of sums (`midstep`): they have it from the
  // next phase on that reads ghosts; on one rank nothing. Ghosts of this step are there. Collective.
  void sendSums();

  // Of a rebuild, one by one; for benchmarks.
  backend::SortedOrder sortedOrder();
  void reorder(const backend::SortedOrder& sorted);
  void buildList();
  void setSorter(SortStyle style) { sorter_ = backend::Sorter(style); }
  const DeviceArray<u32>& keys() const { return keys_; }
  Workspace& workspace() { return workspace_; }

  // Particles of all ranks that are of no frozen species. Collective; counted at the first call.
  i64 mobile() const override;

  int count() const override { return arrays_.count; }
  i64 total() const override { return ranks() ? part_.allParticles : arrays_.count; }
  std::size_t memoryBytes() const override;
  void beginStep(const Wanted& wanted) override;
  void swapState() override { arrays_.fields.swapState(); }
  io::Snapshot snapshot(i64 step) const override { return snapshotOf(step, nullptr); }
  io::Snapshot placesOf(i64 step, i64 first, i64 count, i64 unit) const override {
    const TagRange some{first, count, unit};
    return snapshotOf(step, &some);
  }
  void addProfile(const BinShape& shape, const BinWish& wish, BinTotals& totals) override;
  std::string stateHash() const override;
  std::optional<std::string> failure() override;
  ListCounters counters() const override;
  std::optional<TransportChoice> transport() const override;
  std::string sharedHow() const override;
  std::vector<io::ArrayView> checkpointArrays(std::vector<std::vector<std::byte>>& storage) override;
  void restore(const io::CheckpointContent& content, KeepList keep) override;

  bool listBuilt() const override { return listBuilt_; }
  std::array<double, 3> boxSize() const override { return settings_.box.size; }
  void deform(const std::array<double, 3>& size) override;
  double cutoff() const override { return settings_.cutoff; }
  double skin() const override { return settings_.skin; }
  void setSkin(double skin) override;
  bool hasRoomFor(double skin) const override;
  double meanRow() const override;
  bool completeList() override;
  const int* incomplete() const override { return list_.table().incomplete; }
  bool buildsAreRecordable() const override {
    return !halo_ && !list_.waits() && sorter_.style() != SortStyle::radix;  // its teams' scratch memory is Kokkos'
  }
  void receiveGhosts() override;
  void finishStep(const LastKernel& last) override;

protected:
  void makeList(i64 step) override;

private:
  // Rebuilds: box_population_build.hpp.
  void sortParticles();
  void indexTags();
  void buildRows(ListPart part);
  // On several ranks: box_population_ranks.hpp.
  void migrate();
  void packLeavers(bool next, bool again);
  void buildOnRanks();
  void exchangeGhostsAndBuild();
  bool looksForAllPartners() const;
  void lookForPartners();
  void askOfPartners();
  void fitGhosts();
  bool partnersMissing();
  bool widenGhosts();
  void planGhosts();
  void ensureRoom(int particles);
  void splitBlocks();
  void finishStepAlone(const LastKernel& last);
  void sendLeavers();
  void storeArrivals(bool next, const Execution& stream);
  // Of a box whose lengths change: lengths/box_population_lengths.hpp.
  double cellReachIn(const Box& box) const;
  std::array<double, 3> cellReach(double widened) const;
  std::array<int, 3> cellsFor(const std::array<double, 3>& reach) const;
  double ghostReach() const;
  void setLengths(const std::array<double, 3>& size);
  void fitCells();
  std::vector<i64> skinState();
  KeepList restoreSkin(const io::CheckpointContent& content, KeepList keep);
  void checkSkin(const io::CheckpointContent& content) const;
  std::pair<double, i64> storedGhosts(const io::CheckpointContent& content) const;
  void checkLengths(const std::array<double, 3>& size) const;
  std::vector<i64> lengthState() const;
  std::optional<std::array<double, 3>> storedLengths(const io::CheckpointContent& content) const;
  // In a sheared box: box_population_shear.hpp.
  GhostWays ghostWays() const;
  void arrangeGhosts(const FieldRows& rows);
  void moveGhosts();
  void putBack();
  void watchInFlow();
  std::vector<i64> offsetState() const;
  void restoreOffset(const io::CheckpointContent& content);
  bool repeats(int axis) const {
    return settings_.box.periodic[axis] || (sheared() && axis == settings_.shear.gradient);
  }
  bool sheared() const { return settings_.shear.on; }
  bool looksUpTags() const { return settings_.looksUpTags; }
  void addShown(const ProfiledParticles<P>& particles, int width, BinTotals& totals);
  // What leaves the device: box_population_output.hpp, box_population_hash.hpp.
  struct TagRange {
    i64 first, count, unit;
  };
  io::Snapshot snapshotOf(i64 step, const TagRange* some) const;
  DeviceArray<int> rowsOf(const TagRange& some) const;
  template <class RowOf>
  void addMotion(io::Snapshot& snapshot, const RowOf& rowOf, const std::vector<int>& beyond) const;
  template <class RowOf>
  void addTopology(io::Snapshot& snapshot, const RowOf& rowOf) const;
  void orderByTags(io::Snapshot& snapshot, const TagRange* some) const;
  std::vector<u32> bondedTags() const;
  void hashAlone(StateHash& hash) const;
  void hashTogether(StateHash& hash) const;
  std::optional<std::string> bitsInDoubt() const;
  std::string describe(StepFlags::Event event, i64 step, u32 tag) const;
  double apart(u32 tag, u32 other) const;
  // Checkpoints: box_population_checkpoint.hpp.
  std::vector<std::pair<FieldBase*, std::size_t>> checkpointedFields() const;
  void checkRows(const io::CheckpointContent& content) const;
  bool storedInOrder();
  void resumeList();
  void shareOut(const io::CheckpointContent& content);
  void shareOutAsBuilt();
  template <class At>
  void exchangeRows(const At& at, const std::function<int(const std::byte*)>& cellOf);
  void countCrossings();

  BoxSettings settings_;
  RankPart part_;
  double widened_ = 0.0;  // how far ghosts have come to reach where there is room, length; 0: as the settings say
  i64 calm_ = 0;          // so many builds in a row could have done without that
  CellGrid grid_;
  ParticleArrays<P> arrays_;
  std::unique_ptr<ParkedFields> parked_;  // null: there are none
  NeighborList list_;
  backend::Sorter sorter_;
  Workspace workspace_;
  DeviceArray<u32> keys_;
  TagTable tagTable_;
  SummedForces summed_;
  DeviceArray<Vec3<Real>> observedVelocity_, observedForce_;
  DeviceArray<Vec3<u32>> observedLow_;
  DeviceArray<double> virial_;  // of each particle, where somebody asks
  DeviceArray<Real> mass_, inverseMass_;
  DeviceArray<i32> excludes_;
  mutable i64 mobile_ = -1;  // not counted yet
  Wanted observed_;          // of the last step
  bool listBuilt_ = false;
  bool deformed_ = false;  // the box' lengths have been changed
  // In a sheared box.
  ShearOffset offset_;
  i64 step_ = 0;  // that images are of
  DeviceArray<u32> along_;
  // On several ranks.
  std::unique_ptr<comm::Migration> migration_;
  std::unique_ptr<comm::Halo> halo_;
  std::string transportReason_;
  std::vector<std::function<void(const PartnerSearch&)>> searches_;
  PartnerSearch search_;
  backend::StreamEvent searched_;
  std::array<int, 3> searchedIn_{};  // cells of the last build
  enum class Partners { unknown, lookedFor, askedOf } partners_ = Partners::unknown;
  comm::LateAnswer answer_;
  unsigned underWay_ = ghosted | stepwise;   // traits of the fields that are sent to ghosts
  bool migrationUnderWay_ = false;           // leavers of the state to come have been sent, and others have arrived
  bool arrivalsStored_ = false;              // and these lie behind the others already
  DeviceArray<int> blockFlags_, blockList_;  // blocks of particles: those near the border, then the others
  Kokkos::View<int, backend::SharedSpace> borderBlocks_{"blocks at the border"};
};

extern template class BoxPopulation<SinglePrecision>;
extern template class BoxPopulation<MixedPrecision>;
extern template class BoxPopulation<DoublePrecision>;

}  // namespace mesowarp
