#include "input/schema.hpp"

#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

SharedBlocks withMethods() {
  SharedBlocks blocks{{runBlock(), boxBlock(), integratorBlock(), neighborBlock(), sumsBlock(), parallelBlock(),
                       populationBlock(), interactionBlock(), bondBlock(), angleBlock(), dihedralBlock(),
                       boundaryBlock(), shapeBlock(), wallBlock(), driveBlock(), measureBlock(), outputBlock()}};
  for (const MethodBlocks* method : methodBlocks()) method->extend(blocks);
  return blocks;
}

}  // namespace

const SharedBlocks& sharedBlocks() {
  static const SharedBlocks blocks = withMethods();
  return blocks;
}

}  // namespace mesowarp::input
