#include "input/schema.hpp"

#include <algorithm>

#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

// Measures are of any column of a table.
void addColumnsToMeasures(SharedBlocks& blocks) {
  std::vector<std::string> known = columnsOfTables();
  for (const MethodBlocks* method : methodBlocks())
    for (const std::string& column : method->ownColumns()) {
      if (std::find(known.begin(), known.end(), column) != known.end()) continue;
      known.push_back(column);
      blocks.of<Measure>().addChoices("columns", {column}, "");
    }
}

SharedBlocks withMethods() {
  SharedBlocks blocks{{runBlock(), boxBlock(), integratorBlock(), neighborBlock(), sumsBlock(), parallelBlock(),
                       populationBlock(), interactionBlock(), bondBlock(), angleBlock(), dihedralBlock(),
                       boundaryBlock(), shapeBlock(), wallBlock(), driveBlock(), measureBlock(), outputBlock()}};
  for (const MethodBlocks* method : methodBlocks()) method->extend(blocks);
  addColumnsToMeasures(blocks);
  return blocks;
}

}  // namespace

const SharedBlocks& sharedBlocks() {
  static const SharedBlocks blocks = withMethods();
  return blocks;
}

}  // namespace mesowarp::input
