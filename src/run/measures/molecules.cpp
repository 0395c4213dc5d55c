#include "run/measures/molecules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/shear.hpp"
#include "input/estimate.hpp"
#include "input/method.hpp"
#include "input/species.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/union_find.hpp"

namespace mesowarp {
namespace {

// Every rank's numbers one after the other, on each of them. Blocks of tags follow the order of ranks.
template <class T>
std::vector<T> fromAll(std::vector<T> mine, const comm::Communicator* ranks) {
  if (!ranks) return mine;
  return ranks->toEach(std::vector<std::vector<T>>(static_cast<std::size_t>(ranks->size()), mine));
}

}  // namespace

Molecules::Molecules(const input::Deck& deck, const std::string& population) : deck_(deck) {
  std::vector<std::string> names{"*"};
  for (const auto& one : deck.populations) {
    if (population.empty() || one.name != population) continue;
    names = input::speciesOf(one);
    if (!deck.walls.empty()) break;  // which leave out particles of fluids
    tags_.last = 0;
    for (const input::Population* each : input::populationsOf(deck, input::ownerOf(one))) {
      tags_ = {tags_.last, tags_.last + input::particleCount(*each, deck.box)};
      if (each == &one) break;
    }
  }
  species_ = named(deck.species, names);
}

const observables::MoleculeShapes& Molecules::shapes(i64 step, Engine& engine, bool centresAlone) {
  if (!found_) find(step, engine);
  Population& population = measuredPopulation(engine);
  const auto box = *observables::measuredBox(population);
  observables::see(population, observables::Seen::unwrapped, particles_);
  if (table_.molecules == 0) table_ = observables::moleculeTable(parts_, box);
  observables::findShapes(particles_, box, table_, !centresAlone, shapes_);
  return shapes_;
}

void Molecules::find(i64 step, Engine& engine) {
  found_ = true;
  io::Snapshot all = engine.snapshot(step);
  const comm::Communicator* ranks = measuredPopulation(engine).ranks();
  const std::vector<u32> bonds = fromAll(std::move(all.bonds), ranks);
  all.species = fromAll(std::move(all.species), ranks), all.mass = fromAll(std::move(all.mass), ranks);
  all.position = fromAll(std::move(all.position), ranks), all.image = fromAll(std::move(all.image), ranks);
  number(bonds, all.species);
  for (std::size_t t = 0; t < all.mass.size(); ++t)
    if (parts_.moleculeOf[t] >= 0) parts_.mass[static_cast<std::size_t>(parts_.moleculeOf[t])] += all.mass[t];
  makeWhole(bonds, all);
}

// Molecules in the order of their lowest tags. Ends are those of one bond.
void Molecules::number(const std::vector<u32>& bonds, const std::vector<i32>& species) {
  const std::size_t n = species.size();
  UnionFind joined(n);
  std::vector<int> partners(n, 0);
  for (std::size_t k = 0; k < bonds.size(); k += 2)
    joined.join(bonds[k], bonds[k + 1]), ++partners[bonds[k]], ++partners[bonds[k + 1]];
  std::vector<bool> isLeftOut(n, false);
  for (u32 t = 0; t < n; ++t)
    if (partners[t] == 0 || t < tags_.first || t >= tags_.last || !species_[static_cast<std::size_t>(species[t])])
      isLeftOut[joined.lowest(t)] = true;
  parts_.moleculeOf.assign(n, -1), parts_.end.assign(n, 0), parts_.shift.assign(n, {});
  for (u32 t = 0; t < n; ++t) {
    const u32 low = joined.lowest(t);
    if (isLeftOut[low]) continue;
    if (low == t) parts_.moleculeOf[t] = parts_.molecules++, parts_.first.push_back(t), parts_.size.push_back(0);
    parts_.moleculeOf[t] = parts_.moleculeOf[low];
    ++parts_.size[static_cast<std::size_t>(parts_.moleculeOf[t])];
  }
  parts_.mass.assign(static_cast<std::size_t>(parts_.molecules), 0.0);
  for (const int size : parts_.size) parts_.longest = std::max(parts_.longest, size);
  std::vector<int> ends(static_cast<std::size_t>(parts_.molecules), 0), most = ends;
  for (u32 t = 0; t < n; ++t) {
    if (parts_.moleculeOf[t] < 0) continue;
    const auto m = static_cast<std::size_t>(parts_.moleculeOf[t]);
    most[m] = std::max(most[m], partners[t]);
    if (partners[t] == 1) parts_.end[t] = ends[m]++ == 0 ? -1 : 1;
  }
  parts_.linear.clear();
  for (std::size_t m = 0; m < ends.size(); ++m) parts_.linear.push_back(ends[m] == 2 && most[m] <= 2 ? 1 : 0);
}

// From each molecule's first particle along its bonds: each partner gets the image that is nearest. In a sheared box
// the images that particles have are those already (start/whole_molecules.hpp), and others have gone elsewhere.
void Molecules::makeWhole(const std::vector<u32>& bonds, const io::Snapshot& all) {
  if (deck_.own.get<Shear>().on) return;
  const std::size_t n = parts_.moleculeOf.size();
  std::vector<std::size_t> start(n + 1, 0);
  for (const u32 t : bonds) ++start[t + 1];
  for (std::size_t t = 0; t < n; ++t) start[t + 1] += start[t];
  std::vector<u32> partner(bonds.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < bonds.size(); k += 2)
    partner[next[bonds[k]]++] = bonds[k + 1], partner[next[bonds[k + 1]]++] = bonds[k];
  std::vector<bool> seen(n, false);
  std::vector<u32> todo;
  for (const u32 first : parts_.first) {
    seen[first] = true;
    todo.assign(1, first);
    for (std::size_t done = 0; done < todo.size(); ++done) {
      const std::size_t a = todo[done];
      for (std::size_t k = start[a]; k < start[a + 1]; ++k) {
        const std::size_t b = partner[k];
        if (seen[b]) continue;
        seen[b] = true, todo.push_back(static_cast<u32>(b));
        for (std::size_t c = 0; c < 3; ++c)
          if (all.periodic[c])
            parts_.shift[b][c] =
                parts_.shift[a][c] + all.image[3 * a + c] - all.image[3 * b + c] +
                static_cast<i32>(std::lround((all.position[3 * a + c] - all.position[3 * b + c]) / all.box[c]));
      }
    }
  }
}

}  // namespace mesowarp
