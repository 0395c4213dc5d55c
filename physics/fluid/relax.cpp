#include "physics/fluid/relax.hpp"

#include <algorithm>
#include <cstring>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "core/shear.hpp"
#include "input/molecules/reach_ever.hpp"
#include "input/species.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/relaxation_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/pair/conservative_keys.hpp"
#include "physics/pair/deck/wca_cutoff.hpp"
#include "start/rank_part.hpp"

namespace mesowarp::fluid {
namespace {

// The deck, with what conserves energy alone.
input::Deck quietDeck(const input::Deck& deck) {
  input::Deck quiet = deck;
  quiet.own.get<RelaxationKeys>().running = true;
  quiet.drives.clear();
  quiet.lists.erase(ThermostatKeys::block), quiet.lists.erase(ScheduleKeys::block);
  for (auto& interaction : quiet.interactions) interaction.own.get<input::CutoffEver>() = {};
  quiet.lists.erase(InflowKeys::block);
  quiet.lists.erase(group::GroupKeys::block);
  quiet.lists.erase(group::PullKeys::block), quiet.lists.erase(group::HoldKeys::block);
  quiet.own.get<FlowRateKeys>().on = false;
  quiet.own.get<BarostatKeys>().on = quiet.own.get<DeformationKeys>().on = false;
  quiet.own.get<Shear>().rate = 0.0;  // its coordinates stay what they are
  quiet.integrator = {};
  quiet.neighbor.tune = false;
  quiet.sums.range *= 65536.0;  // forces of what still overlaps, in fixed point
  for (auto& interaction : quiet.interactions)
    if (input::hasDpdNoise(interaction)) interaction.gamma = interaction.sigma = 0.0;
  return quiet;
}

// Places and images of all particles, on every rank, from the parts of ranks, each of consecutive tags.
void take(const io::Snapshot& mine, const Box& box, HostParticles& particles, const comm::Communicator* ranks) {
  constexpr std::size_t piece = 1 << 20;
  struct Row {
    u32 tag;
    std::array<i32, 3> image;
    std::array<double, 3> at;
  };
  const auto place = [&](const Row& row) {
    for (int a = 0; a < 3; ++a) particles.position[row.tag][a] = toFixed(box, a, row.at[a]);
    if (!particles.image.empty()) particles.image[row.tag] = row.image;
  };
  std::vector<Row> rows(mine.tag.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].tag = mine.tag[i];
    for (std::size_t a = 0; a < 3; ++a)
      rows[i].at[a] = mine.position[3 * i + a], rows[i].image[a] = mine.image[3 * i + a];
  }
  for (int r = 0; r < (ranks ? ranks->size() : 1); ++r) {
    const bool own = !ranks || ranks->rank() == r;
    const i64 count = ranks ? ranks->sum(own ? static_cast<i64>(rows.size()) : 0) : static_cast<i64>(rows.size());
    for (std::size_t first = 0; first < static_cast<std::size_t>(count); first += piece) {
      const std::size_t n = std::min(piece, static_cast<std::size_t>(count) - first);
      std::string bytes;
      if (own) bytes.assign(reinterpret_cast<const char*>(&rows[first]), n * sizeof(Row));
      if (ranks) bytes = ranks->fromRank(r, std::move(bytes));
      std::vector<Row> here(n);
      std::memcpy(here.data(), bytes.data(), bytes.size());
      for (const Row& row : here) place(row);
    }
  }
}

void runPart(const input::Deck& deck, HostParticles& particles, const comm::Communicator* ranks) {
  const RelaxationKeys& keys = deck.own.get<RelaxationKeys>();
  HostParticles start = particles;
  for (auto& v : start.velocity) v = {};
  const RankPart part = ranks ? rankPart(deck, *ranks, start.count()) : RankPart{};
  const TermSlots slots = start.slots();
  if (ranks) start.keep(part.domain);
  NewEngine made = makeEngine(deck, start.count(), slots, backend::defaultSort, part);
  made.upload(start);
  for (i64 step = 0; step <= keys.steps; ++step) {  // the places of a step are those behind as many moves
    Wanted wanted;
    wanted.velocities = wanted.snapshot = step == keys.steps;
    made.engine->rebuildIfDue(step);
    made.engine->advance(step, wanted);
    if (wanted.snapshot || step % 100 == 0)
      if (const auto failure = made.engine->failure()) throw RunError("[relaxation], before the run: " + *failure);
  }
  take(made.engine->snapshot(keys.steps), boxOf(deck), particles, ranks);
}

}  // namespace

bool relaxes(const input::Deck& deck) { return deck.own.get<RelaxationKeys>().on; }

void relax(const input::Deck& deck, HostParticles& particles, const comm::Communicator* ranks) {
  const RelaxationKeys& keys = deck.own.get<RelaxationKeys>();
  const input::Deck quiet = quietDeck(deck);
  input::Deck soft = quiet;
  bool unbounded = false;
  for (auto& interaction : soft.interactions) {
    const bool lj = input::familyOf(interaction.style) == input::InteractionStyle::lj;
    if (!lj && interaction.style != input::FurtherStyle::table) continue;
    unbounded = true;
    if (lj) interaction.cutoff = wcaCutoff(interaction.sigma);
    interaction.style = input::FurtherStyle::soft;
    interaction.own.get<SoftKeys>().amplitude = keys.pushOff;
  }
  if (unbounded && keys.pushOff > 0.0) runPart(soft, particles, ranks);
  runPart(quiet, particles, ranks);
  if (!ranks || ranks->root())
    spdlog::info("relaxation: {} steps with the push-off, {} with the deck's forces",
                 unbounded && keys.pushOff > 0.0 ? keys.steps : 0, keys.steps);
}

}  // namespace mesowarp::fluid
