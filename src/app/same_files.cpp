#include "app/same_files.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "input/complete.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/grammar/value.hpp"
#include "io/files/file_print.hpp"

namespace mesowarp {

void requireSameFiles(const input::Deck& deck, bool resuming, const comm::Communicator& ranks) {
  if (ranks.size() == 1) return;
  std::vector<const input::NamedFile*> files;
  for (const auto& file : deck.own.get<input::NamedFiles>().all)
    if (!(resuming && file.ofStart)) files.push_back(&file);
  std::string mine;  // a line for each
  ranks.onAll([&] {
    for (const auto* file : files) mine += io::filePrint(file->path) + "\n";
  });
  const std::string roots = ranks.fromRank(0, mine);
  ranks.onAll([&] {
    for (std::size_t k = 0, at = 0; k < files.size(); ++k) {
      const std::size_t end = mine.find('\n', at) + 1;
      if (mine.compare(at, end - at, roots, at, end - at) != 0)
        throw InputError(input::format(
            {input::sourceOf(deck, files[k]->key),
             fmt::format("rank {} has another file {} than rank 0: every rank reads it, and all need the same",
                         ranks.rank(), files[k]->path)},
            deck.file));
      at = end;
    }
  });
}

}  // namespace mesowarp
