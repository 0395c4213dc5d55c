#include "physics/membrane/output/membrane_output.hpp"

#include <algorithm>

#include "physics/membrane/deck/membrane_deck.hpp"

namespace mesowarp::membrane {

std::vector<std::unique_ptr<Recorder>> recordersOf(const RecorderContext& context) {
  std::vector<std::unique_ptr<Recorder>> all;
  const auto& outputs = context.deck.outputs;
  const auto trajectory = std::find_if(outputs.begin(), outputs.end(), [](const input::Output& output) {
    return output.format == input::OutputFormat::trajectory;
  });
  if (hasMembranes(context.deck) && trajectory != outputs.end())
    all.push_back(makeSurfaceRecorder(context, *trajectory));
  if (hasCellTable(context.deck)) all.push_back(makeCellRecorder(context));
  return all;
}

}  // namespace mesowarp::membrane
