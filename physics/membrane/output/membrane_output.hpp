// What runs with membranes write beside what every run does.
#pragma once

#include <memory>
#include <vector>

#include "input/deck.hpp"
#include "step/recorder.hpp"

namespace mesowarp::membrane {

// cells.csv and cells.h5, of each cell; for decks that have a table of them.
std::unique_ptr<Recorder> makeCellRecorder(const RecorderContext& context);
// surface-*.vtp, surfaces.h5 and .xmf, at the steps of that trajectory; for decks with membranes.
std::unique_ptr<Recorder> makeSurfaceRecorder(const RecorderContext& context, const input::Output& trajectory);

// Those that the deck has a use for.
std::vector<std::unique_ptr<Recorder>> recordersOf(const RecorderContext& context);

}  // namespace mesowarp::membrane
