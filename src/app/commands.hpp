// What the command line's verbs do. All throw InputError or RunError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mesowarp {

struct RunRequest {
  std::string deck;
  std::vector<std::string> overrides;  // section.key=value
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> seed;
  std::string output;
  int threads = 0;
  bool resuming = false;
  std::string resume;  // empty: the newest checkpoint of the output directory
  bool quiet = false;
  bool force = false;  // move files in the way aside within the output directory
};

struct ConvertRequest {
  std::string input, output, format;
  std::size_t first = 0, stride = 1;
  long long last = -1;
  bool unwrap = false;
  bool force = false;  // replace the output
};

struct PlotRequest {
  std::vector<std::string> runs;
  std::string output;
  std::vector<std::string> pictures;  // empty: all that the runs have files for
  bool force = false;                 // replace pictures that are there
};

int runDeck(RunRequest request, int argc, char** argv);
int checkDeck(const RunRequest& request);
int printInfo(int argc, char** argv);
int printReference();
// Of a process that is started for nothing else (comm/transport/transports.hpp).
int tryDeviceBuffers(int argc, char** argv);
int convertFile(const ConvertRequest& request);
int drawPictures(const PlotRequest& request);

}  // namespace mesowarp
