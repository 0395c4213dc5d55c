// Initial states of bodies, from numbers keyed by tag, so that they are the same on any machine.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

#include "core/error.hpp"
#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "core/random_direction.hpp"
#include "device/tag_random.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/species.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/hdf5/looks_like_hdf5.hpp"
#include "physics/nbody/deck/bodies_text.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "physics/nbody/deck/body_deck.hpp"
#include "physics/nbody/start/coincident_bodies.hpp"
#include "physics/nbody/start/host_bodies.hpp"
#include "physics/resume.hpp"

namespace mesowarp::nbody {
namespace {

using Point = std::array<double, 3>;

// a^b, a > 0, by operations that every machine and C library rounds alike.
double power(double a, double b) { return math::power<math::Portable>(a, b); }

class BodyBuilder {
public:
  explicit BodyBuilder(const input::Deck& deck) : deck_(deck) {}

  void add(const input::Population& population) {
    const std::size_t first = all_.position.size();
    firstOf_.push_back(first);
    if (population.initial == input::StartKind::file)
      addFile(population);
    else
      addMade(population, first);
    exclude(population, first);
    for (std::size_t i = first; i < all_.position.size(); ++i)
      for (int c = 0; c < 3; ++c) all_.velocity[i][c] += population.velocity[c];
  }
  HostBodies finish() {
    refuseCoincidentBodies(deck_, all_, firstOf_);
    return std::move(all_);
  }

private:
  u32 numberOf(const std::string& species) const {
    const auto at = std::find(deck_.species.begin(), deck_.species.end(), species);
    if (at == deck_.species.end()) throw InputError("unknown species '" + species + "'");
    return static_cast<u32>(at - deck_.species.begin());
  }
  void push(const Point& x, const Point& v, double mass, double charge, u32 species) {
    all_.position.push_back(x), all_.velocity.push_back(v), all_.mass.push_back(mass), all_.charge.push_back(charge);
    all_.species.push_back(species);
  }

  void addMade(const input::Population& p, std::size_t first) {
    const double mass = p.mass;
    const auto sites = p.initial == input::StartKind::lattice ? lattice(p) : std::vector<Point>();
    for (std::int64_t k = 0; k < p.count; ++k) {
      Point x{}, v{};
      TagRandom random(deck_.run.seed, Stream::initialBody, static_cast<u32>(first + static_cast<std::size_t>(k)));
      if (p.initial == InitialBodies::plummer)
        plummer(p, mass * static_cast<double>(p.count), random, x, v);
      else if (p.initial == InitialBodies::sphere)
        x = inSphere(p, random);
      else
        x = sites[static_cast<std::size_t>(k)];
      push(x, v, mass, keysOf(p).charge, numberOf(p.species));
    }
    if (p.initial == InitialBodies::plummer)
      center(all_.position, first);
    else
      warm(p, mass, first);
    center(all_.velocity, first);
    for (std::size_t i = first; i < all_.position.size(); ++i)
      for (int c = 0; c < 3; ++c) all_.position[i][c] += keysOf(p).center[c];
  }

  // Plummer's model (Aarseth, Henon & Wielen 1974): the mass within r is r^3 / (1 + r^2)^(3/2), without its outermost
  // thousandth; speeds are q sqrt(2) (1 + r^2)^(-1/4) with q of density q^2 (1 - q^2)^(7/2). Lengths in the scale
  // length b, speeds in sqrt(G M / b).
  void plummer(const input::Population& p, double mass, TagRandom& random, Point& x, Point& v) const {
    const double within = 0.999 * (1.0 - random.uniform());
    const double r = 1.0 / std::sqrt(power(within, -2.0 / 3.0) - 1.0);
    const Point to = randomDirection(random);
    double q = 0.0, density = 0.0;
    do {
      q = random.uniform(), density = 0.1 * random.uniform();
    } while (density > q * q * power(1.0 - q * q, 3.5));
    const double unit = std::sqrt(keysOf(deck_.interactions.front()).constant * mass / keysOf(p).radius);
    const double speed = unit * q * std::sqrt(2.0) / std::sqrt(std::sqrt(1.0 + r * r));
    const Point along = randomDirection(random);
    for (int c = 0; c < 3; ++c) x[c] = keysOf(p).radius * r * to[c], v[c] = speed * along[c];
  }

  static Point inSphere(const input::Population& p, TagRandom& random) {
    const double r = keysOf(p).radius * power(1.0 - random.uniform(), 1.0 / 3.0);
    Point x = randomDirection(random);
    for (double& c : x) c *= r;
    return x;
  }

  // The sites of a simple cubic lattice that are nearest to one of them.
  static std::vector<Point> lattice(const input::Population& p) {
    const int reach = static_cast<int>(std::ceil(std::cbrt(3.0 * static_cast<double>(p.count) / (4.0 * M_PI)))) + 2;
    std::vector<std::array<int, 4>> sites;  // squared distance first
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) sites.push_back({x * x + y * y + z * z, z, y, x});
    std::sort(sites.begin(), sites.end());
    std::vector<Point> points;
    for (std::int64_t k = 0; k < p.count; ++k) {
      const auto& s = sites[static_cast<std::size_t>(k)];
      points.push_back({keysOf(p).spacing * s[3], keysOf(p).spacing * s[2], keysOf(p).spacing * s[1]});
    }
    return points;
  }

  // Subtracts the mean of the bodies from `first` on, which have the same mass.
  static void center(std::vector<Point>& vectors, std::size_t first) {
    Point mean{};
    for (std::size_t i = first; i < vectors.size(); ++i)
      for (int c = 0; c < 3; ++c) mean[c] += vectors[i][c] / static_cast<double>(vectors.size() - first);
    for (std::size_t i = first; i < vectors.size(); ++i)
      for (int c = 0; c < 3; ++c) vectors[i][c] -= mean[c];
  }

  // Maxwell velocities, whose temperature is exact once their mean is gone.
  void warm(const input::Population& p, double mass, std::size_t first) {
    double squares = 0.0;
    for (std::size_t i = first; i < all_.velocity.size(); ++i) {
      TagRandom random(deck_.run.seed, Stream::initialVelocity, static_cast<u32>(i));
      for (double& c : all_.velocity[i]) c = std::sqrt(p.temperature / mass) * random.gaussian();
    }
    center(all_.velocity, first);
    for (std::size_t i = first; i < all_.velocity.size(); ++i)
      for (const double c : all_.velocity[i]) squares += c * c;
    const double n = static_cast<double>(all_.velocity.size() - first);
    const double scale = squares > 0.0 && n > 1.0 ? std::sqrt(3.0 * (n - 1.0) * p.temperature / mass / squares) : 1.0;
    for (std::size_t i = first; i < all_.velocity.size(); ++i)
      for (double& c : all_.velocity[i]) c *= scale;
  }

  [[noreturn]] void refuse(const input::Population& p, const std::string& message) const {
    const auto path = fmt::format("population.{}.file", &p - deck_.populations.data());
    throw InputError(input::format({input::sourceOf(deck_, path), p.file + ": " + message}, deck_.file));
  }

  // type: from 1; names: of the file's types, if it has any.
  u32 fileSpecies(const input::Population& p, std::size_t type, const std::vector<std::string>& names) const {
    if (!p.types.empty()) {
      if (type > p.types.size())
        refuse(p, fmt::format("it has bodies of type {}, but types names {} species", type, p.types.size()));
      return numberOf(p.types[type - 1]);
    }
    if (type <= names.size() && std::count(deck_.species.begin(), deck_.species.end(), names[type - 1]) > 0)
      return numberOf(names[type - 1]);
    return numberOf(p.species);
  }

  void addFile(const input::Population& p) {
    if (!io::looksLikeHdf5(p.file) && !io::looksLikeCheckpoint(p.file)) return addText(p);
    std::vector<std::string> names;
    std::vector<double> charge;
    const io::Snapshot s = io::looksLikeCheckpoint(p.file) ? ofCheckpoint(p, names, charge) : lastFrame(p, names);
    if (s.velocity.empty()) refuse(p, "it holds no velocities");
    for (std::size_t i = 0; i < s.tag.size(); ++i) {
      Point x{}, v{};
      for (std::size_t c = 0; c < 3; ++c) {
        x[c] = s.position[3 * i + c] + (s.image.empty() ? 0.0 : s.image[3 * i + c] * s.box[c]);
        v[c] = s.velocity[3 * i + c];
      }
      push(x, v, s.mass.empty() ? p.mass : s.mass[i], charge.empty() ? keysOf(p).charge : charge[i],
           fileSpecies(p, static_cast<std::size_t>(s.species[i]) + 1, names));
    }
  }
  static io::Snapshot ofCheckpoint(const input::Population& p, std::vector<std::string>& names,
                                   std::vector<double>& charge) {
    CheckpointState state = stateOfCheckpoint(p.file, bodyBlocks());
    names = state.deck.species;
    const auto& bytes = state.content.arrays.at("charge").data;  // one a body
    charge.resize(bytes.size() / sizeof(double));
    std::memcpy(charge.data(), bytes.data(), bytes.size());
    return std::move(state.snapshot);
  }
  static io::Snapshot lastFrame(const input::Population& p, std::vector<std::string>& names) {
    const io::H5mdReader reader(p.file);
    if (reader.frames() == 0) throw InputError(p.file + ": the trajectory holds no frame to start from");
    names = reader.speciesNames();
    return reader.read(reader.frames() - 1);
  }
  void addText(const input::Population& p) {
    const BodiesText text = readBodiesText(p.file);
    for (std::size_t i = 0; i < text.position.size(); ++i)
      push(text.position[i], text.velocity[i], text.mass.empty() ? p.mass : text.mass[i],
           text.charge.empty() ? keysOf(p).charge : text.charge[i],
           fileSpecies(p, text.type.empty() ? 1 : static_cast<std::size_t>(text.type[i]), {}));
  }

  void exclude(const input::Population& p, std::size_t first) {
    if (keysOf(p).exclusions.empty()) return;
    const auto count = static_cast<std::int64_t>(all_.position.size() - first);
    for (const auto& [a, b] : readPairsText(keysOf(p).exclusions, count))
      all_.exclusions.push_back({static_cast<u32>(first) + a, static_cast<u32>(first) + b});
  }

  const input::Deck& deck_;
  HostBodies all_;
  std::vector<std::size_t> firstOf_;  // body of each population
};

}  // namespace

void HostBodies::keep(std::size_t first, std::size_t count) {
  const auto cut = [&](auto& rows) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    rows = std::remove_reference_t<decltype(rows)>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  cut(position), cut(velocity), cut(mass), cut(charge), cut(species);
}

HostBodies makeInitialBodies(const input::Deck& deck) {
  BodyBuilder builder(deck);
  for (const auto& population : deck.populations) builder.add(population);
  return builder.finish();
}

}  // namespace mesowarp::nbody
