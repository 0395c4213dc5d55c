// The tests' own pair force in the program's list, for all ways of adding up: in one object that both test executables
// link which use it, since it is the longest of all tests to compile.
#include "physics/fluid/pair_forces.hpp"
#include "tests/unit/support/test_exchange.hpp"

namespace mesowarp::test {

static const AddPairForce<ExchangeForce> addedExchange;

}  // namespace mesowarp::test
