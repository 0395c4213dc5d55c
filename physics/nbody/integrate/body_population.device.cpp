#include "physics/nbody/integrate/body_population.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "input/species.hpp"
#include "io/checkpoint/stored_rows.hpp"

namespace mesowarp::nbody {
namespace {

ForceSettings settingsOn(const input::Deck& deck, const BodyShare& share) {
  ForceSettings settings = forceSettings(deck);
  settings.ranks = share.ranks(), settings.allBodies = share.total();
  return settings;
}

// Lowest body whose place is no number.
struct FirstLost {
  Vectors x, v;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& first) const {
    const double sum = x(i).x + x(i).y + x(i).z + v(i).x + v(i).y + v(i).z;
    if (!(sum - sum == 0.0) && i < first) first = i;
  }
};

template <class T, class V>
void fill(const DeviceArray<T>& view, const std::vector<V>& values, const auto& convert) {
  std::vector<T> host(view.extent(0));
  for (std::size_t i = 0; i < values.size(); ++i) host[i] = convert(values[i]);
  refill(view, host);
}

}  // namespace

BodyPopulation::BodyPopulation(const input::Deck& deck, const BodyShare& share)
    : Population("bodies", share.ranks()), deck_(deck), force_(makeBodyForce(settingsOn(deck, share))), state_(share) {}

void BodyPopulation::upload(const HostBodies& b) {
  const auto vector = [](const std::array<double, 3>& v) { return Vec3<double>{v[0], v[1], v[2]}; };
  const auto same = [](auto v) { return v; };
  fill(state_.bodies.position, b.position, vector), fill(state_.bodies.velocity, b.velocity, vector);
  fill(state_.bodies.mass, b.mass, same), fill(state_.bodies.charge, b.charge, same);
  fill(state_.bodies.type, b.species, same);
  excluded_ = b.exclusions;
  state_.exclusions = makeExclusions(excluded_, state_.share.total());
}

io::Snapshot BodyPopulation::snapshot(i64 step) const {
  const auto x = hostCopy(state_.bodies.position), v = hostCopy(state_.bodies.velocity),
             a = hostCopy(state_.acceleration);
  const auto mass = hostCopy(state_.bodies.mass);
  const auto type = hostCopy(state_.bodies.type);
  io::Snapshot s;
  s.step = step, s.total = total(), s.first = state_.share.first();
  s.time = static_cast<double>(step) * deck_.run.timestep;
  s.periodic = {false, false, false};
  for (int i = 0; i < state_.count(); ++i) {
    s.tag.push_back(static_cast<u32>(state_.share.first() + i)),
        s.species.push_back(static_cast<std::int32_t>(type(i))), s.mass.push_back(mass(i));
    for (int c = 0; c < 3; ++c) {
      s.position.push_back(x(i)[c]), s.velocity.push_back(v(i)[c]), s.force.push_back(mass(i) * a(i)[c]);
      s.image.push_back(0);
    }
  }
  return s;
}

// On the root: of the vectors of all ranks, in the order of tags.
void BodyPopulation::hashInOrder(XXH3_state_t& hashing, const Vectors& vectors) const {
  const auto host = hostCopy(vectors);
  const auto add = [&](const std::vector<Vec3<double>>& rows) {
    XXH3_128bits_update(&hashing, rows.data(), rows.size() * sizeof(Vec3<double>));
  };
  const std::vector<Vec3<double>> mine(host.data(), host.data() + host.extent(0));
  if (ranks())
    ranks()->inTurn(mine, add);
  else
    add(mine);
}

// Of positions, then velocities, in the order of tags.
std::string BodyPopulation::stateHash() const {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hashing(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(hashing.get());
  hashInOrder(*hashing, state_.bodies.position), hashInOrder(*hashing, state_.bodies.velocity);
  const XXH128_hash_t hash = XXH3_128bits_digest(hashing.get());
  const std::string text = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  return ranks() ? ranks()->fromRank(0, text) : text;
}

// lost: body without a place; as many as there are: none. Empty: all is well on this rank.
std::string BodyPopulation::failureHere(int lost) const {
  if (force_->overflowed())
    return fmt::format(
        "the range of the fixed-point sums, {:.3g}, was left: a force has grown beyond it. Set nbody.range to more{}.",
        force_->range(),
        deck_.run.reproducibility == input::Reproducibility::bitwise ? "" : ", or use another nbody.accumulator");
  if (lost < state_.count())
    return fmt::format("body {} has no finite place any more. Usual cause: two bodies in one place, or a time step too "
                       "large for the forces: lower run.timestep, or raise the softening.",
                       state_.share.first() + lost);
  return {};
}

// The same on all ranks: what the first one that has something to say says.
std::optional<std::string> BodyPopulation::failure() {
  int lost = state_.count();
  Kokkos::parallel_reduce("lost bodies", Range(0, state_.count()),
                          FirstLost{state_.bodies.position, state_.bodies.velocity}, Kokkos::Min<int>(lost));
  const std::string here = failureHere(lost);
  if (!ranks()) return here.empty() ? std::nullopt : std::optional(here);
  const auto failed = ranks()->all(here.empty() ? 0 : 1);
  const auto first = std::find(failed.begin(), failed.end(), 1);
  if (first == failed.end()) return std::nullopt;
  const int rank = static_cast<int>(first - failed.begin());
  return fmt::format("rank {}: {}", rank, ranks()->fromRank(rank, here));
}

std::vector<io::ArrayView> BodyPopulation::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  std::vector<io::ArrayView> views;
  const auto add = [&](const std::string& name, const void* data, std::size_t rows, std::size_t rowBytes,
                       io::Spread spread) {
    const auto* bytes = static_cast<const std::byte*>(data);
    storage.emplace_back(bytes, bytes + rows * rowBytes);
    views.push_back({name, io::ElementType::u8, rows, rowBytes, nullptr, spread});
  };
  std::vector<u32> tags(static_cast<std::size_t>(state_.count()));
  std::iota(tags.begin(), tags.end(), static_cast<u32>(state_.share.first()));
  add("tag", tags.data(), tags.size(), sizeof(u32), io::Spread::distributed);
  forEachArray([&](const char* name, const auto& view) {
    const auto host = hostCopy(view);
    add(name, host.data(), host.extent(0), sizeof(host(0)), io::Spread::distributed);
  });
  const double range[2] = {force_->range(), state_.ready ? 1.0 : 0.0};
  add("body_sums", range, 1, sizeof(range), io::Spread::whole);
  if (!excluded_.empty())
    add("exclusions", excluded_.data(), excluded_.size(), sizeof(excluded_[0]), io::Spread::whole);
  const std::size_t before = storage.size() - views.size();
  for (std::size_t k = 0; k < views.size(); ++k) views[k].data = storage[before + k].data();
  return views;
}

// This rank's rows, before they are taken over.
void BodyPopulation::checkRows(const io::CheckpointContent& content) const {
  const i64 count = state_.count(), first = state_.share.first();
  const auto refuse = [&](i64 row, const std::string& what) {
    if (row < count) throw InputError(fmt::format("the checkpoint's body {} {}{}", first + row, what, damagedAdvice));
  };
  const auto tag = storedRows<u32>(content, "tag", count);
  refuse(hostFirst("check tags", count, [&](i64 i) { return tag(i) != first + i; }), "is not where its tag belongs");
  for (const char* name : {"position", "velocity", "acceleration", "jerk"}) {
    const auto vector = storedRows<Vec3<double>>(content, name, count);
    refuse(hostFirst("check vectors", count, [&](i64 i) { return !finiteVector(vector(i)); }),
           fmt::format("has a {} that is no number", name));
  }
  const auto mass = storedRows<double>(content, "mass", count), charge = storedRows<double>(content, "charge", count);
  refuse(hostFirst("check masses", count,
                   [&](i64 i) { return !(mass(i) >= 0.0 && std::isfinite(mass(i)) && std::isfinite(charge(i))); }),
         "has a mass or charge that cannot be");
  const auto type = storedRows<u32>(content, "type", count);
  refuse(hostFirst("check species", count, [&](i64 i) { return type(i) >= deck_.species.size(); }),
         fmt::format("is of none of the {} species", deck_.species.size()));
  const StoredRows<double> sums{
      storedArray(content, "body_sums", io::ElementType::u8, 1, 2 * sizeof(double)).data.data()};
  if (!(sums(0) >= 0.0 && std::isfinite(sums(0)) && (sums(1) == 0.0 || sums(1) == 1.0)))
    throw InputError(std::string("the checkpoint's range of sums cannot be") + damagedAdvice);
  // Steps of bodies: powers of two, of the shortest.
  const auto ticks = storedRows<i64>(content, "ticks", count);
  const i64 most = i64{1} << keysOf(deck_.integrator).levels;
  if (schemeOf(deck_.integrator) == Scheme::hermite_block && sums(1) != 0.0)
    refuse(hostFirst("check steps", count,
                     [&](i64 i) { return ticks(i) < 1 || ticks(i) > most || (ticks(i) & (ticks(i) - 1)) != 0; }),
           "has a time step of its own that cannot be");
  const auto excluded = content.arrays.find("exclusions");
  if (excluded == content.arrays.end()) return;
  using Pair = std::array<u32, 2>;
  const auto pairs = storedRows<Pair>(content, "exclusions", static_cast<i64>(excluded->second.rows));
  const auto bodies = static_cast<u32>(state_.share.total());
  for (std::size_t k = 0; k < excluded->second.rows; ++k) {
    const auto [a, b] = pairs(static_cast<i64>(k));
    if (a >= bodies || b >= bodies || a == b)
      throw InputError(
          fmt::format("the checkpoint excludes the pair {}, {} of {} bodies{}", a, b, bodies, damagedAdvice));
  }
}

void BodyPopulation::restore(const io::CheckpointContent& content, KeepList) {
  const auto check = [&] { checkRows(content); };
  ranks() ? ranks()->onAll(check) : check();
  forEachArray([&](const char* name, const auto& view) {
    copyToDevice(view.data(), content.arrays.at(name).data.data(), view.extent(0) * sizeof(*view.data()));
  });
  const StoredRows<double> sums{content.arrays.at("body_sums").data.data()};
  if (force_->needsRange() && sums(0) > 0.0) force_->setRange(sums(0));
  state_.ready = sums(1) != 0.0;
  if (const auto pairs = content.arrays.find("exclusions"); pairs != content.arrays.end()) {
    excluded_.resize(pairs->second.rows);
    std::memcpy(excluded_.data(), pairs->second.data.data(), pairs->second.data.size());
  }
  state_.exclusions = makeExclusions(excluded_, state_.share.total());
}

ForceSettings forceSettings(const input::Deck& deck) {
  ForceSettings s;
  const input::Interaction& first = deck.interactions.front();
  s.style = first.style;
  const NbodyBlock& sums = deck.own.get<NbodyBlock>();
  s.precision = deck.run.precision, s.accumulator = sums.accumulator, s.range = sums.range;
  s.bitwise = deck.run.reproducibility == input::Reproducibility::bitwise;
  s.excludeAfterwards = sums.exclude == Exclude::afterwards;
  const Scheme scheme = schemeOf(deck.integrator);
  s.jerk = scheme == Scheme::hermite || scheme == Scheme::hermite_block;
  s.gravity = keysOf(first).constant, s.softening = keysOf(first).softening;
  const auto& e = deck.own.get<ElectrostaticsBlock>();
  s.dielectric = e.dielectric, s.coulomb = e.constant, s.permittivity = e.permittivity;
  if (e.dielectric == Dielectric::sigmoidal) s.permittivity = 1.0;
  s.alpha = e.alpha, s.beta = e.beta, s.gamma = e.gamma, s.delta = e.delta;
  s.types = static_cast<int>(deck.species.size());
  for (const auto& a : deck.species)
    for (const auto& b : deck.species) {
      const auto* pair = input::pairInteraction(deck, a, b);
      s.epsilon.push_back(pair ? pair->epsilon : 0.0), s.sigma.push_back(pair ? pair->sigma : 0.0);
    }
  return s;
}

backend::ExcludedPartners makeExclusions(const std::vector<std::array<u32, 2>>& pairs, int count) {
  if (pairs.empty()) return {};
  std::vector<std::array<u32, 2>> both;
  for (const auto& [a, b] : pairs) both.push_back({a, b}), both.push_back({b, a});
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  std::vector<int> start(static_cast<std::size_t>(count) + 1, 0), partner;
  for (const auto& [a, b] : both) partner.push_back(static_cast<int>(b)), ++start[a + 1];
  for (std::size_t i = 0; i + 1 < start.size(); ++i) start[i + 1] += start[i];
  return {toDevice<int>("exclusion rows", start), toDevice<int>("exclusions", partner)};
}

}  // namespace mesowarp::nbody
