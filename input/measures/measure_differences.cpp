#include "input/measures/measure_differences.hpp"

#include <algorithm>

#include "input/grammar/value.hpp"
#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

// Sums are over pairs of samples, each of them so many steps behind the other.
bool hasLags(const Measure& measure) {
  return measure.style == MeasureStyle::msd || measure.style == MeasureStyle::vacf ||
         measure.style == MeasureStyle::viscosity || measure.style == MeasureStyle::correlation;
}

// When a block ends, what is made of its sums, and, without lags, how often it samples; from when on, if it has not
// yet.
bool mayChange(const Measure& measure, const std::string& key, bool hasSamples) {
  if (key == "window" || (key == "start" && !hasSamples)) return true;
  return hasLags(measure) ? key == "from" || key == "to" : key == "every";
}

}  // namespace

void measureDifferences(const Deck& then, std::int64_t step, const Deck& now, std::size_t number,
                        Differences& differences) {
  const Measure& measure = now.measures[number];
  const auto before = std::find_if(then.measures.begin(), then.measures.end(),
                                   [&](const Measure& other) { return other.name == measure.name; });
  if (before == then.measures.end()) return;
  const std::string path = "measure." + std::to_string(number) + ".";
  const Block<Measure> block = measureBlock();
  for (const auto& field : block.fields) {
    if (!applies(block, field, measure) || mayChange(measure, field.key, step > before->start)) continue;
    const std::string was = tomlText(field.get(*before)), is = tomlText(field.get(measure));
    if (was != is) return differences.add(path + field.key, field.key + " is " + is + ", and was " + was);
  }
  if (hasLags(measure) && then.run.timestep != now.run.timestep)
    differences.add(path + "style", fmt::format("its lags are of run.timestep, which is {}, and was {}",
                                                now.run.timestep, then.run.timestep));
}

}  // namespace mesowarp::input
