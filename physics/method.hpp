// What a method does in a run: the initial state of its populations, their phases, what it reads from a checkpoint, and
// writes beside what every run does.
// Each has one such object in its folder; methods.cpp names them all. What it says of decks is input/method.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/sort_style.hpp"
#include "input/method.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "step/recorder.hpp"

namespace mesowarp {

// This rank's part of a method's populations before the first step: made on the host, then given to an engine. Calls
// come in this order; all are collective.
class Start {
public:
  virtual ~Start() = default;
  // Adds the populations and phases. sort: all styles give the same bits, in different time.
  virtual void addTo(Engine& engine, SortStyle sort) = 0;
  // Gives the populations their state.
  virtual void upload() = 0;
  // About files that were read.
  virtual std::vector<std::string> warnings() const { return {}; }
  // What it has found out that the deck does not say, in words for the log.
  virtual std::vector<std::string> found() const { return {}; }
};

// ranks: null: one rank.
class Method {
public:
  virtual ~Method() = default;
  virtual const input::MethodBlocks& blocks() const = 0;

  // Throws InputError (files that do not fit the deck; no room for so many ranks).
  virtual std::unique_ptr<Start> start(const input::Deck& deck, const comm::Communicator* ranks) const = 0;
  // Each of several ranks makes its own part, and none holds more.
  virtual bool startsInPieces(const input::Deck&) const { return false; }
  // Particles in a file that a population starts from. Throws InputError.
  virtual std::int64_t particlesInFile(const std::string& path) const;

  // A checkpoint's content with the arrays of its population under their own names: whether a run can have written it
  // (throws InputError, on all ranks alike); then the populations and phases for its rows, without a state.
  virtual void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                               const comm::Communicator* ranks) const = 0;
  virtual void resume(Engine& engine, const io::CheckpointContent& content, const input::Deck& deck,
                      const comm::Communicator* ranks) const = 0;
  // Of what no other method's runs have, beside those of every run; for its populations in context.deck.
  virtual std::vector<std::unique_ptr<Recorder>> recorders(const RecorderContext&) const { return {}; }
  // Whether a neighbour list of the one deck serves the other.
  virtual bool keepsList(const input::Deck& /*then*/, const input::Deck& /*now*/) const { return true; }
};

}  // namespace mesowarp
