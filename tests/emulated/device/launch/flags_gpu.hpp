// Stands in for src/device/launch/flags_gpu.hpp: blocks run one after the other, so nobody waits, and who raises flags
// only counts its blocks.
#pragma once

#include "device/launch/peer_flags.hpp"
#include "device/launch_gpu.hpp"

namespace mesowarp::backend {

inline void raiseAsBlockEnds(const RaiseFlags& raise) {
  if (raise.done != nullptr && threadIdx.x == 0) atomicAdd(raise.done, 1u);
}
inline bool mustAwait(const AwaitFlags&) { return false; }
inline void awaitAll(const AwaitFlags&) {}
inline void reportToHost(const AwaitFlags& await) {
  if (await.word != nullptr && blockIdx.x == await.first && threadIdx.x == 0) *await.word = await.end;
}

}  // namespace mesowarp::backend
