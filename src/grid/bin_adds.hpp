// Integers of many particles, added up in few bins. Each team of threads adds to numbers of its own, in scratch memory,
// and these are added to the totals at its end: at 600 totals 2 million particles would wait for one another (an H100:
// 0.9 ms). Integers, so nothing depends on the order.
//
// On a GPU threads side by side often have particles of one bin, so a team has several copies of its numbers, which its
// threads use in turn; and a number of 64 bits is two words there, since shared memory adds words of 32 bits itself and
// longer ones by comparing and exchanging.
//
// Where there are too many bins for that, particles seldom meet at one, and a thread adds to the totals. If a kernel
// says how many numbers a particle adds (held; 0: it does not know, or they are of several bins), a thread takes 4
// particles in a row, which after a sort are in few bins, and adds when the bin changes: 132 us for 2 million particles
// in 32^3 cells on an H100. (16 in a row: 188, since what threads side by side read is too far apart.)
#pragma once

#include <algorithm>
#include <string>

#include "core/types.hpp"
#include "device/config.hpp"

namespace mesowarp {

// Where a thread adds.
struct BinAdder {
  i64* totals;
  u32* words;  // of its copy: low and high half of each number; null: adds to the totals
  int width;   // numbers of a bin

  KOKKOS_FORCEINLINE_FUNCTION void add(int bin, int k, i64 value) const {
    const std::size_t at =
        static_cast<std::size_t>(bin) * static_cast<std::size_t>(width) + static_cast<std::size_t>(k);
    if (words == nullptr) {
      Kokkos::atomic_add(totals + at, value);
      return;
    }
    u32* const to = words + 2 * at;
    const u64 bits = static_cast<u64>(value);
    if constexpr (backend::onGpu) {
      const u32 low = static_cast<u32>(bits), before = Kokkos::atomic_fetch_add(to, low);
      const u32 high = static_cast<u32>(bits >> 32) + (before > ~low ? 1u : 0u);  // carried
      if (high != 0) Kokkos::atomic_add(to + 1, high);
    } else {  // a team is one thread
      const u64 sum = (u64{to[0]} | u64{to[1]} << 32) + bits;
      to[0] = static_cast<u32>(sum), to[1] = static_cast<u32>(sum >> 32);
    }
  }
};

// The same for a thread that has several particles; each adds `held` numbers, from the first on.
template <int held>
struct HeldAdder {
  i64* totals;
  int at = -1;  // the bin of what is held
  i64 number[held] = {};

  KOKKOS_FORCEINLINE_FUNCTION void add(int bin, int k, i64 value) {
    if (bin != at) {
      flush();
      at = bin;
    }
    number[k] += value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void flush() {
    for (int k = 0; k < held; ++k) {
      if (at >= 0) Kokkos::atomic_add(totals + static_cast<std::size_t>(at) * held + k, number[k]);
      number[k] = 0;
    }
  }
};

// Kernel(i, adder) adds what particle i has; adder: of any type that has add().
template <class Kernel>
class BinAdds {
public:
  // totals: of each bin `width` numbers, to which those of so many particles are added.
  BinAdds(const Kernel& kernel, const DeviceArray<i64>& totals, int width, int particles)
      : kernel_(kernel), totals_(totals), width_(width), particles_(particles),
        numbers_(static_cast<int>(totals.extent(0))) {
    while (copies_ > 0 && scratchWords(copies_) * sizeof(u32) > room) copies_ /= 2;
  }

  void run(const std::string& label) {
    if (copies_ == 0) {  // too many bins
      each_ = holds ? 4 : 1;
      Kokkos::parallel_for(label, Range(0, (particles_ + each_ - 1) / each_), *this);
      return;
    }
    const int teams = std::clamp(particles_ / leastOfTeam, 1, backend::onGpu ? mostTeams : Execution().concurrency());
    each_ = (particles_ + teams - 1) / teams;
    Policy policy(teams, backend::onGpu ? threads : 1);
    Kokkos::parallel_for(
        label, policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Words::shmem_size(scratchWords(copies_))))),
        *this);
  }

  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::IndexType<int>>;
  using Team = typename Policy::member_type;
  KOKKOS_INLINE_FUNCTION void operator()(int row) const {
    const int first = row * each_, end = first + each_ < particles_ ? first + each_ : particles_;
    if constexpr (holds) {
      HeldAdder<Kernel::held> adder{totals_.data()};
      for (int i = first; i < end; ++i) kernel_(i, adder);
      adder.flush();
    } else {
      const BinAdder adder{totals_.data(), nullptr, width_};
      for (int i = first; i < end; ++i) kernel_(i, adder);
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const int first = team.league_rank() * each_, end = first + each_ < particles_ ? first + each_ : particles_;
    const auto pitch = pitchOf(numbers_);
    const Words words(team.team_scratch(0), scratchWords(copies_));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(scratchWords(copies_))),
                         [&](int k) { words(static_cast<std::size_t>(k)) = 0; });
    team.team_barrier();
    const BinAdder adder{totals_.data(), words.data() + (team.team_rank() & (copies_ - 1)) * pitch, width_};
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, end), [&](int i) { kernel_(i, adder); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, numbers_), [&](int k) {
      u64 sum = 0;
      for (int c = 0; c < copies_; ++c) {
        const u32* const of = words.data() + c * pitch + 2 * static_cast<std::size_t>(k);
        sum += u64{of[0]} + (u64{of[1]} << 32);
      }
      if (sum != 0) Kokkos::atomic_add(&totals_(static_cast<std::size_t>(k)), static_cast<i64>(sum));
    });
  }

private:
  using Words = Kokkos::View<u32*, Execution::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  static constexpr bool holds = Kernel::held > 0;
  static constexpr int threads = 256, mostTeams = 528, leastOfTeam = 1024;
  static constexpr int mostCopies = backend::onGpu ? 8 : 1;
  static constexpr std::size_t room = backend::onGpu ? 40000 : 24000;  // bytes of scratch memory
  // An odd number: copies of a number are in different banks.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t pitchOf(int numbers) {
    return 2 * static_cast<std::size_t>(numbers) + 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t scratchWords(int copies) const {
    return static_cast<std::size_t>(copies) * pitchOf(numbers_);
  }

  Kernel kernel_;
  DeviceArray<i64> totals_;
  int width_, particles_, numbers_, copies_ = mostCopies, each_ = 0;
};

template <class Kernel>
void addToBins(const std::string& label, const Kernel& kernel, const DeviceArray<i64>& totals, int width,
               int particles) {
  BinAdds<Kernel>(kernel, totals, width, particles).run(label);
}

}  // namespace mesowarp
