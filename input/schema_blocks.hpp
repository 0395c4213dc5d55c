// The tables of schema_*.cpp, without what methods add.
#pragma once

#include "input/deck.hpp"
#include "input/grammar/block.hpp"

namespace mesowarp::input {

Block<Run> runBlock();
Block<BoxBlock> boxBlock();
Block<Integrator> integratorBlock();
Block<Neighbor> neighborBlock();
Block<Sums> sumsBlock();
Block<Parallel> parallelBlock();
Block<Population> populationBlock();
Block<Interaction> interactionBlock();
Block<Bond> bondBlock();
Block<Angle> angleBlock();        // molecules/molecule_schema.cpp
Block<Dihedral> dihedralBlock();  // likewise
Block<Boundary> boundaryBlock();
Block<Shape> shapeBlock();  // physics/boundary/deck/wall_schema.cpp
Block<Wall> wallBlock();    // likewise
Block<Drive> driveBlock();
Block<Measure> measureBlock();  // measures/schema_measure.cpp
Block<Output> outputBlock();
const std::vector<std::string>& columnsOfTables();  // that a table may have beside the step
class MethodBlocks;
bool hasColumn(const MethodBlocks& method, const std::string& column);  // complete_methods.cpp

}  // namespace mesowarp::input
