// BoxPopulation on several ranks: migration and ghosts at a rebuild, their refreshing in between. Included by
// box_population_*.device.cpp.
//
// A rebuild: leavers go, others arrive (comm/migration.hpp); the sort; counts of border cells, then ghosts
// (comm/halo.hpp), then the list. On a GPU the rows of cells that no ghost is near are built meanwhile, and the others
// beside them, by the side stream, as soon as the ghosts are there. Where it is known that a rebuild comes, leavers are
// found in the border cells, sent and stored while the interior of the step before is still being done. The step behind
// is launched before the host knows that the table was large enough; only what neighbours are to be sent waits for
// that.
//
// A step: the last kernel runs in blocks of particles, those with a border cell first (finishStep). Their next
// positions and velocities (fields that are `stepwise`) are packed and sent as soon as they are done, by the side
// stream, which waits for these blocks alone: they count themselves at a gate, and the other blocks of the same kernel
// run on meanwhile. Where a step is observed, and on a CPU, border and interior are two kernels, one after the other.
// Before a rebuild that is known to come nothing is sent. Bonds look partners up by tag, so ghosts carry tags where
// there are bonds, once in each rebuild. Whose partner may not be among them by the next rebuild has ghosts reach
// further from then on: what a run does must not depend on the number of ranks. Ranks ask each other of that behind a
// build, and need the answer before the next (comm::LateAnswer), so that no device waits for it
// (perf/log/ghosts_and_ranks.md).
#pragma once

#include <utility>

#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "state/box_population.hpp"
#include "state/rebuild_kernels.hpp"

namespace mesowarp {

// Room for so many particles, ghosts included; what is stored stays.
template <class P>
void BoxPopulation<P>::ensureRoom(int particles) {
  if (particles <= arrays_.capacity) return;
  Kokkos::fence();  // what still reads the old arrays
  arrays_.grow(particles + particles / 16);
  const auto larger = zeroedArray<u32>("sort keys", arrays_.capacity);
  copyOnDevice(larger.data(), keys_.data(), keys_.extent(0) * sizeof(u32));
  keys_ = larger;
  if (summed_.kept()) summed_ = SummedForces(arrays_.capacity, settings_.summedBytes);
  observedVelocity_ = observedForce_ = DeviceArray<Vec3<Real>>();  // made anew when wanted
  observedLow_ = DeviceArray<Vec3<u32>>();
  virial_ = DeviceArray<double>();
  summed_.addVirialsTo(nullptr);
}

// Finds those that have left, and packs their rows: on the side stream, of the buffers that it writes (next) or of the
// current ones. Only who was in a border cell at the last build can have left since, so next looks at these alone.
// again: there was no room for all, and their box crossings have been counted already.
template <class P>
void BoxPopulation<P>::packLeavers(bool next, bool again) {
  backend::SideStream& side = halo_->side();
  const FindLeavers<Coord> find{next ? arrays_.position->next : arrays_.position->current,
                                arrays_.built->current,
                                arrays_.image->current,
                                DomainBounds(part_.domain),
                                listBuilt_ && !again,
                                migration_->leavers(side)};
  const DeviceArray<int>& border = grid_.halo().borderCells();
  if (next)
    backend::runBeside("find leavers", side, static_cast<int>(border.extent(0)),
                       OfCells<FindLeavers<Coord>>{find, border, grid_.start()});
  else
    backend::runBeside("find leavers", side, arrays_.count, find);
  migration_->pack(arrays_.fields.rows(moves, next), side, parked_ ? parked_->rows() : ParkedRows{});
}

// Particles that have left this rank's domain go, others come and are stored behind those here; the next sort puts
// those that went behind all others, where they are forgotten. Where the rebuild was known to come, most of this has
// happened while the interior was done (finishStep()).
template <class P>
void BoxPopulation<P>::migrate() {
  if (halo_->underWay()) receiveGhosts();  // of a state that is not needed any more, but somebody has sent it
  arrays_.ghosts = 0;
  if (!isShared()) return;  // there is nowhere to go
  if (!std::exchange(migrationUnderWay_, false)) {
    halo_->side().afterMain();
    packLeavers(false, false);
    while (!migration_->packed(halo_->side())) packLeavers(false, true);
    migration_->exchange();
  }
  if (!std::exchange(arrivalsStored_, false)) {
    ensureRoom(arrays_.count + migration_->arrived());
    if (parked_ && !parked_->hasRoom(migration_->arrived())) parked_->settle(arrays_.count);
    storeArrivals(false, Execution());
  }
  arrays_.count += migration_->arrived();
}

// After the sort: ghosts and the list, once more while a partner is missing that wider ghosts could bring.
template <class P>
void BoxPopulation<P>::buildOnRanks() {
  exchangeGhostsAndBuild();
  while (looksForAllPartners() && partnersMissing() && widenGhosts()) sortParticles(), exchangeGhostsAndBuild();
  searchedIn_ = grid_.dims();
}

template <class P>
void BoxPopulation<P>::addPartners(std::shared_ptr<Field<u32>> partner) {
  addSearch([this, partner](const PartnerSearch& search) {
    Kokkos::parallel_for(
        "look for partners", Range(0, arrays_.count),
        LookForPartners<Coord>{partner->current, static_cast<int>(partner->width()), askForPartner(search)});
  });
}

// In builds of which the one before says nothing: the first, of other cells, of hardly a skin.
template <class P>
bool BoxPopulation<P>::looksForAllPartners() const {
  constexpr double least = 0.1;
  return !searches_.empty() &&
         (buildsHere() == 0 || grid_.dims() != searchedIn_ || settings_.skin < least * settings_.cutoff);
}

// Behind indexTags(). Of partners that are here, who may be out of sight by the next build.
template <class P>
void BoxPopulation<P>::lookForPartners() {
  if (searches_.empty()) return;
  const auto look = [this](bool all, const GhostMargin& margin) {
    search_.all = all, search_.margin = margin;
    for (const auto& lookFor : searches_) lookFor(search_);
  };
  search_.found() = 0;
  if (looksForAllPartners()) look(true, {});
  constexpr double ofSkin = 0.75;  // half of it, and what a step is late
  std::array<double, 3> width, narrow;
  const auto narrowCells = cellsFor(cellReach(0.0));
  for (int axis = 0; axis < 3; ++axis) {
    width[axis] = grid_.cellWidth(settings_.box, axis);
    narrow[axis] = width[axis] * grid_.dims()[axis] / narrowCells[axis];
  }
  look(false, GhostMargin(settings_.box, part_.domain, width, narrow, ofSkin * settings_.skin,
                          sheared() ? settings_.shear.flow : -1));
  searched_.record();
  partners_ = Partners::lookedFor;
}

// Once behind each build, when the device has looked: the answer is there by the next.
template <class P>
void BoxPopulation<P>::askOfPartners() {
  if (partners_ != Partners::lookedFor) return;
  searched_.wait();
  answer_.ask(*ranks(), search_.found() & ~PartnerSearch::missing);
  partners_ = Partners::askedOf;
}

// Before the sort, by what all ranks' partners were in the last build.
template <class P>
void BoxPopulation<P>::fitGhosts() {
  constexpr i64 longCalm = 200;
  if (partners_ == Partners::unknown) return;
  askOfPartners();
  partners_ = Partners::unknown;
  const auto found = answer_.answer();
  calm_ = found == GhostMargin::fine && widened_ > 0.0 ? calm_ + 1 : 0;
  if ((found & GhostMargin::lost) != 0)
    widenGhosts();
  else if (calm_ == longCalm)
    widened_ = 0.0, calm_ = 0, fitCells();
}

// On any rank. Waits for the device.
template <class P>
bool BoxPopulation<P>::partnersMissing() {
  searched_.wait();
  return ranks()->largest(search_.found() & PartnerSearch::missing) != 0;
}

// Until there are fewer cells. False: parts have no room for that; who misses a partner then ends the run.
template <class P>
bool BoxPopulation<P>::widenGhosts() {
  constexpr double step = 1.25;
  completeList();
  const auto before = grid_.dims();
  while (grid_.dims() == before) {
    const double wider = step * std::max(widened_, cellReachIn(settings_.box));
    if (cellReach(wider) == cellReach(widened_)) return false;
    widened_ = wider, fitCells();
  }
  return true;
}

// Rows of cells that no ghost is near are built while ghosts travel; not with bonds, whose exclusions need the ghosts'
// tags.
template <class P>
void BoxPopulation<P>::exchangeGhostsAndBuild() {
  halo_->count(grid_);
  if (isShared()) splitBlocks();
  const bool apart = !looksUpTags();
  if (apart) buildRows(ListPart::inner);
  planGhosts();
  indexTags();
  lookForPartners();
  buildRows(apart ? ListPart::border : ListPart::all);
  if (!isShared()) completeList();  // no step is to be done by halves
}

// After halo_->count(). The first exchange brings tags, too, if bonds need them.
template <class P>
void BoxPopulation<P>::planGhosts() {
  const int ghosts = halo_->plan(grid_, arrays_.count);
  if (halo_->own() != arrays_.count)
    throw RunError("a particle has moved further than a cell between two builds of the neighbour list: lower "
                   "run.timestep or neighbor.every");
  ensureRoom(arrays_.count + ghosts);
  arrays_.ghosts = ghosts;
  const FieldRows all = arrays_.fields.rows(ghosted);
  halo_->prepare(arrays_.fields.places(ghosted), arrays_.count);
  halo_->pack(all);
  halo_->send();
  halo_->receive(all);
  if (sheared()) arrangeGhosts(all), moveGhosts();
  backend::runBeside("ghosts' positions at build", halo_->side(), ghosts,
                     KeepBuilt<Coord>{arrays_.position->current, arrays_.built->current, arrays_.count});
  halo_->side().beforeMain();
}

// Which blocks of particles have a ghost within reach: they come first in a step, so that what they give is under way
// while the others are done. On the side stream, after halo_->count(); planGhosts() waits for it.
template <class P>
void BoxPopulation<P>::splitBlocks() {
  const int size = backend::blockSizeFor(arrays_.count), blocks = (arrays_.count + size - 1) / size;
  if (static_cast<int>(blockList_.extent(0)) < blocks) {
    blockFlags_ = DeviceArray<int>("border block flags", blocks + blocks / 16 + 1);
    blockList_ = DeviceArray<int>("border blocks", blocks + blocks / 16);
  }
  borderBlocks_() = 0;
  const Execution& side = halo_->side().instance();
  clearOn(side, blockFlags_);
  const auto& border = grid_.halo().borderCells();
  Kokkos::parallel_for("flag border blocks", Range(side, 0, static_cast<int>(border.extent(0))),
                       FlagBorderBlocks{border, grid_.start(), blockFlags_, size, blocks});
  Kokkos::parallel_scan("list border blocks", Range(side, 0, blocks),
                        ListBlocks{blockFlags_, blockList_, blocks, borderBlocks_});
}

template <class P>
void BoxPopulation<P>::receiveGhosts() {
  if (!halo_ || !halo_->underWay()) return;
  const unsigned traits = std::exchange(underWay_, ghosted | stepwise);
  halo_->receive(arrays_.fields.rows(traits));
  if (sheared() && (traits & stepwise) != 0) moveGhosts();
  halo_->side().beforeMain();
}

template <class P>
void BoxPopulation<P>::sendSums() {
  if (!halo_) return;
  halo_->side().afterMain();
  halo_->pack(arrays_.fields.rows(ghosted | midstep));
  halo_->send();
  underWay_ = ghosted | midstep;
}

template <class P>
void BoxPopulation<P>::refreshGhosts() {
  if (!halo_) return;
  receiveGhosts();
  halo_->side().afterMain();
  halo_->pack(arrays_.fields.rows(ghosted | stepwise));
  halo_->send();
  receiveGhosts();
}

// On a GPU all blocks are one kernel, of which the side stream waits for the first blocks only; when the step is
// observed, when the kernel does not count, and on a CPU, the others are a kernel of their own. Behind a build, the
// one kernel is launched before it is known that no row is missing; nothing is sent before. Several are launched when
// that is known: a rank that had to repeat them later would be alone with what they send.
template <class P>
void BoxPopulation<P>::finishStep(const LastKernel& last) {
  if (!halo_) return last.launch({arrays_.count});
  if (!isShared()) return finishStepAlone(last);
  const int size = backend::blockSizeFor(arrays_.count), blocks = (arrays_.count + size - 1) / size,
            border = borderBlocks_();
  const backend::ParticleBlocks outer{arrays_.count, blockList_.data(), border},
      inner{arrays_.count, blockList_.data() + border, blocks - border};
  backend::SideStream& side = halo_->side();
  const bool together = backend::onGpu && last.gated && !last.observed;
  if (together) {
    const backend::ParticleBlocks all{arrays_.count, blockList_.data(), blocks, side.gate(), border};
    last.launch(all);
    if (completeList()) last.launch(all);
    askOfPartners();
    side.afterGate(border * backend::pairWarps);
  } else {
    completeList();
    askOfPartners();
    last.launch(outer);
    side.afterMain();
  }
  // In a sheared box particles go through faces first, in the build.
  const bool leaversFound = !last.ghostsNeeded && !last.observed && !sheared();
  if (last.ghostsNeeded) halo_->pack(arrays_.fields.rows(ghosted | stepwise, true));
  if (last.ghostsNeeded && !backend::onGpu) halo_->send();
  if (leaversFound) packLeavers(true, false);
  if (!together) last.launch(inner);
  if (last.ghostsNeeded && backend::onGpu)
    halo_->send();  // may wait for the packing, while the device is busy with the others
  if (leaversFound) sendLeavers();
  if (!last.ghostsNeeded) side.beforeMain();
  if (sheared() && last.ghostsNeeded) watchInFlow();
}

// One rank, whose images are ghosts: nobody waits for what it sends, and all blocks are one kernel, behind which it
// travels. The list is complete.
template <class P>
void BoxPopulation<P>::finishStepAlone(const LastKernel& last) {
  last.launch({arrays_.count});
  askOfPartners();
  if (!last.ghostsNeeded) return;
  halo_->side().afterMain();
  halo_->pack(arrays_.fields.rows(ghosted | stepwise, true));
  halo_->send();
  if (sheared()) watchInFlow();
}

template <class P>
void BoxPopulation<P>::sendLeavers() {
  backend::SideStream& side = halo_->side();
  while (!migration_->packed(side)) packLeavers(true, true);
  migration_->exchange();
  migrationUnderWay_ = true;
  arrivalsStored_ = arrays_.count + migration_->arrived() <= arrays_.capacity &&
                    (!parked_ || parked_->hasRoom(migration_->arrived()));
  if (arrivalsStored_) storeArrivals(true, side.instance());
}

// Where there is room for them. next: of the state that is being written.
template <class P>
void BoxPopulation<P>::storeArrivals(bool next, const Execution& stream) {
  migration_->unpack(arrays_.fields.rows(moves, next), arrays_.count, stream, parked_ ? parked_->rows() : ParkedRows{});
  if (parked_) parked_->arrived(migration_->arrived());
}

}  // namespace mesowarp
