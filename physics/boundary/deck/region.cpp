#include "physics/boundary/deck/region.hpp"

#include <fmt/format.h>
#include <memory>

#include "physics/boundary/deck/fluid_volume.hpp"
#include "start/start_region.hpp"

namespace mesowarp::boundary {
namespace {

// A deck whose one wall is a solid made of these shapes, and that solid.
struct Alone {
  input::Deck deck;
  SolidParts parts;
};
std::shared_ptr<const Alone> aloneOf(const input::Deck& deck, const std::string& region) {
  auto alone = std::make_shared<Alone>();
  input::Wall solid;
  solid.name = "region", solid.solid = region;
  alone->deck = deck, alone->deck.walls = {solid};
  alone->parts = solidOf(alone->deck);
  return alone;
}

InRegion insideOf(const std::shared_ptr<const Alone>& alone) {
  return [alone](const std::array<double, 3>& x) {
    return alone->parts.view()(alone->parts.point(alone->deck, x)).distance < 0;
  };
}

}  // namespace

InRegion regionOf(const input::Deck& deck, const std::string& region) { return insideOf(aloneOf(deck, region)); }

std::string wrongWithRegion(const input::Deck& deck, const std::string& region) {
  try {
    regionOf(deck, region);
  } catch (const std::runtime_error& error) {
    std::string what = error.what();
    if (what.starts_with("solid: ")) what.erase(0, 7);
    return "region: " + what;
  }
  return {};
}

void completeRegions(input::BlocksRead& read) {
  if (read.broken.count("box") || read.broken.count("shape") || read.broken.count("population")) return;
  for (input::Population& population : read.deck.populations) {
    auto& start = population.own.get<StartRegion>();
    if (start.words.empty()) continue;
    try {
      const auto alone = aloneOf(read.deck, start.words);
      const SolidRoom room = solidRoom(alone->deck, alone->parts);
      start.inside = insideOf(alone), start.part = room.part, start.low = room.low, start.high = room.high;
    } catch (const std::runtime_error&) {  // checkRegions tells it
    }
  }
}

void checkRegions(const input::Deck& deck, input::Report& report) {
  const double volume = deck.box.size[0] * deck.box.size[1] * deck.box.size[2];
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const auto& start = deck.populations[k].own.get<StartRegion>();
    if (start.words.empty()) continue;
    const std::string path = fmt::format("population.{}.region", k);
    if (const std::string wrong = wrongWithRegion(deck, start.words); !wrong.empty())
      report.error(path, wrong);
    else if (!(start.part * volume > 1e-4 * start.volumeAround()))  // places are drawn in the block
      report.error(path, "there is nothing of the box in this region, or next to nothing of the block around it");
    else if (!deck.walls.empty())
      report.error(path, "beside [[wall]] blocks fluids fill what is not solid: leave region out, or make the walls "
                         "of populations that are frozen");
  }
}

}  // namespace mesowarp::boundary
