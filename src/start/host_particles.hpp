// Particles on the host, as the initial state makes them: by all threads of the host (device/host_loop.hpp). Every
// number is keyed by a tag, so each particle is on its own, and the words of 64 tags are drawn side by side. Only the
// sums of momentum and kinetic energy go from the first particle to the last, in one thread: no number of threads can
// change them, and at 4 ns per particle for both they are a small part.
//
// They take 52 bytes per particle while a run is set up, 56 of a rank's own where there are several; bonds come on top.
// Nothing of that is left afterwards.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "core/domain.hpp"
#include "core/shear.hpp"
#include "input/deck.hpp"
#include "io/h5md/initial_snapshot.hpp"

namespace mesowarp {

// Of a vector whose resize() leaves new elements as they are: nobody touches them before the threads that fill them.
template <class T>
struct UntouchedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UntouchedAllocator<U>;
  };
  UntouchedAllocator() = default;
  template <class U>
  UntouchedAllocator(const UntouchedAllocator<U>&) {}
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};
template <class T>
using LargeVector = std::vector<T, UntouchedAllocator<T>>;

// Terms of several particles that one particle has room for.
struct TermSlots {
  TermSlots(int bondsOfAParticle = 0) : bonds(bondsOfAParticle) {}
  int bonds = 0, angles = 0, dihedrals = 0;
  bool molecules = false;  // whether particles know their molecule's number

  bool any() const { return bonds > 0 || angles > 0 || dihedrals > 0; }
};

struct HostParticles {
  LargeVector<std::array<u64, 3>> position;  // 64-bit coordinates
  LargeVector<std::array<double, 3>> velocity;
  LargeVector<u32> species;
  LargeVector<u32> tag;                   // empty: a particle's number
  LargeVector<std::array<i32, 3>> image;  // box lengths to add for the unwrapped position; empty: none anywhere
  struct Bond {
    u32 a, b;  // tags
    int type;  // index into the deck's bonds
  };
  LargeVector<Bond> bonds;
  // Terms of several particles in a row along bonds; type: index into the deck's blocks.
  template <std::size_t N>
  struct Term {
    std::array<u32, N> tag;
    int type;
  };
  std::vector<Term<3>> angles;
  std::vector<Term<4>> dihedrals;
  LargeVector<u32> molecule;          // of each particle, from 1; 0: it is single; empty: nobody asks
  std::vector<std::string> warnings;  // about the files that were read

  int count() const { return static_cast<int>(position.size()); }
  int mostBondsOfAParticle() const;
  TermSlots slots() const;
  // Drops particles of other ranks' domains, the others stay in order, with their tags; bonds all stay.
  void keep(const Domain& domain);
  void reserve(std::size_t particles) {
    position.reserve(particles), velocity.reserve(particles), species.reserve(particles);
  }
  // Room for the images of all particles: those that have none yet get 0.
  void addImages() { image.resize(position.size(), std::array<i32, 3>{}); }
  void resize(std::size_t particles) {
    position.resize(particles), velocity.resize(particles), species.resize(particles);
  }
};

Box boxOf(const input::Deck& deck);  // of a sheared one, without periodicity along the gradient
Shear shearOf(const input::Deck& deck);
std::vector<double> massesOf(const input::Deck& deck);  // of each species

// Reads the state of a checkpoint that a population starts from.
using ReadState = std::function<io::FileState(const std::string& path)>;

// Populations of a deck, in its order.
using Populations = std::vector<const input::Population*>;

// Builds the state these populations ask for, the same on any number of threads. Throws InputError (files that do not
// fit the deck).
HostParticles makeInitialState(const input::Deck& deck, const Populations& populations, const ReadState& readState);

}  // namespace mesowarp
