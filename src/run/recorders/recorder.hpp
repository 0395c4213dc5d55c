// The recorders of what every run has; those of methods are made by Method::recorders.
#pragma once

#include <memory>

#include "input/deck.hpp"
#include "run/recorders/table_averages.hpp"
#include "step/recorder.hpp"

namespace mesowarp {

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output);
// Of the engine's population of this number.
std::unique_ptr<Recorder> makeTrajectoryRecorder(const RecorderContext& context, const input::Output& output,
                                                 const Population& population, std::size_t number);
// Of a [[measure]]: style = "field", and the others.
std::unique_ptr<Recorder> makeFieldRecorder(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Recorder> makeProfileRecorder(const RecorderContext& context, const input::Measure& measure);
// Of all other styles.
std::unique_ptr<Recorder> makeMeasureRecorder(const RecorderContext& context, const input::Measure& measure);

// Where walls are, at the start of a run that has some; on the root. Throws RunError.
void writeWalls(const RecorderContext& context);

// Of the whole table, also the rows from before a resume; on the root alone.
TableAverages averagesOf(const Recorder& thermo);

}  // namespace mesowarp
