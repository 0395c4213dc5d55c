// Molecules in words.
#include "input/molecules/molecule_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/molecules/molecule_blocks.hpp"

namespace mesowarp::input {
namespace {

using testing::HasSubstr;
using Parents = std::vector<int>;

TEST(MoleculeText, ChainsAndBranches) {
  EXPECT_EQ(moleculeOf("A").parent, (Parents{-1}));
  EXPECT_EQ(moleculeOf("A2B").beads, "AAB");
  EXPECT_EQ(moleculeOf("A2B").parent, (Parents{-1, 0, 1}));
  EXPECT_FALSE(moleculeOf("A10").branched());
  const Molecule branched = moleculeOf("A2(BC)A");
  EXPECT_EQ(branched.beads, "AABCA");
  EXPECT_EQ(branched.parent, (Parents{-1, 0, 1, 2, 1}));
  EXPECT_TRUE(branched.branched());
  EXPECT_EQ(moleculeOf("A(B2)3").parent, (Parents{-1, 0, 1, 0, 3, 0, 5}));   // a star
  EXPECT_EQ(moleculeOf("[A(B)]3").parent, (Parents{-1, 0, 0, 2, 2, 4}));     // a comb
  EXPECT_EQ(moleculeOf("A(B(C)2D)A").parent, (Parents{-1, 0, 1, 1, 1, 0}));  // a branch of a branch
  EXPECT_EQ(moleculeOf("[[AB]2C]2").beads, "ABABCABABC");
}

std::string refused(const std::string& text) {
  try {
    moleculeOf(text);
  } catch (const MoleculeError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(MoleculeText, ErrorsNameTheCharacter) {
  EXPECT_THAT(refused(""), HasSubstr("no beads"));
  EXPECT_THAT(refused("(A)B"), HasSubstr("at character 1: a branch needs a bead before it"));
  EXPECT_THAT(refused("A(B"), HasSubstr("at character 2: the bracket is not closed"));
  EXPECT_THAT(refused("A()B"), HasSubstr("at character 3: nothing between brackets"));
  EXPECT_THAT(refused("A-B"), HasSubstr("at character 2: expected a letter"));
  EXPECT_THAT(refused("2A"), HasSubstr("at character 1: expected a letter"));
  EXPECT_THAT(refused("A0"), HasSubstr("at character 2: a number must be at least 1"));
  EXPECT_THAT(refused("A)B"), HasSubstr("at character 2"));
  EXPECT_THAT(refused("A99999999"), HasSubstr("more than 1000000 beads"));
}

TEST(MoleculeText, PatternsGoBothWays) {
  const std::vector<std::string> aab{"A", "A", "B"}, baa{"B", "A", "A"}, aba{"A", "B", "A"};
  EXPECT_TRUE(takes({}, aab));
  EXPECT_TRUE(takes(aab, aab));
  EXPECT_TRUE(takes(aab, baa));
  EXPECT_FALSE(takes(aab, aba));
  EXPECT_TRUE(takes({"*", "B", "*"}, aba));
  EXPECT_FALSE(takes({"*", "B", "*"}, aab));
  std::vector<Angle> blocks(3);
  for (auto& block : blocks) block.population = "p";
  blocks[1].of = {"A", "A", "B"}, blocks[2].population = "q";
  EXPECT_EQ(blockOf(blocks, "p", 0, aba), 0);
  EXPECT_EQ(blockOf(blocks, "p", 0, baa), 1);  // the later one
  EXPECT_EQ(blockOf(blocks, "r", 0, baa), -1);
}

}  // namespace
}  // namespace mesowarp::input
