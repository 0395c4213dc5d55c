// What the command line says of itself to a shell and to man, from its own options.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace mesowarp {

// Completion for bash: verbs, options, the choices of an option, decks (*.toml) and other files.
std::string bashCompletion(const CLI::App& app);

// mesowarp(1) in roff.
std::string manualPage(const CLI::App& app);

}  // namespace mesowarp
