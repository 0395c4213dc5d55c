// The table of methods, as runs see them: a new method is one line here, and one in method_blocks.cpp.
#include "physics/methods.hpp"

#include <algorithm>
#include <stdexcept>

#include "device/config.hpp"
#include "io/particle_count.hpp"
#include "physics/fluid/fluid_method.hpp"
#include "physics/mpcd/mpcd_method.hpp"
#include "physics/nbody/body_method.hpp"
#include "physics/tracers/tracer_method.hpp"

namespace mesowarp {
namespace {

const Method& methodWith(const input::MethodBlocks& blocks) {
  static const Method* const all[] = {&fluid::fluidMethod(), &nbody::bodyMethod(), &mpcd::mpcdMethod(),
                                      &tracers::tracerMethod()};
  const auto it =
      std::find_if(std::begin(all), std::end(all), [&](auto* method) { return &method->blocks() == &blocks; });
  if (it == std::end(all)) throw std::logic_error("a method is in method_blocks.cpp, but not in methods.cpp");
  return **it;
}

}  // namespace

std::int64_t Method::particlesInFile(const std::string& path) const { return io::particlesInFile(path); }

std::vector<const Method*> methodsIn(const input::Deck& deck) {
  std::vector<const Method*> methods;
  for (const input::MethodBlocks* blocks : input::methodsOf(deck)) methods.push_back(&methodWith(*blocks));
  return methods;
}

const Method& methodFor(const input::Population& population) { return methodWith(input::ownerOf(population)); }

std::unique_ptr<Engine> engineOfDeck(const input::Deck& deck, const comm::Communicator* ranks) {
  auto engine = std::make_unique<Engine>(ranks);
  std::vector<std::unique_ptr<Start>> starts;
  for (const Method* method : methodsIn(deck)) starts.push_back(method->start(deck, ranks));
  for (const auto& start : starts) start->addTo(*engine, backend::defaultSort);
  for (const auto& start : starts) start->upload();
  return engine;
}

}  // namespace mesowarp
