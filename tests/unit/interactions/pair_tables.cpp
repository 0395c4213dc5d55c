// Soft and tabulated pair forces: the force is the slope of the energy, both end at the cutoff, and a table gives what
// it was made of; files that are wrong are refused with their line.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "physics/fluid/pair_phase.hpp"
#include "physics/pair/soft.hpp"
#include "physics/pair/table.hpp"

namespace mesowarp {
namespace {

using ::testing::HasSubstr;

class PairTables : public ::testing::Test {
protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("pair_table_" + std::to_string(::getpid()));
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string write(const std::string& text) const {
    std::ofstream(path_) << text;
    return path_.string();
  }
  // Three columns of U = r^-4 - r^-2, from 0.6 to 2.4.
  std::string rows(int count) const {
    std::string text = "# r energy force\n";
    for (int k = 0; k < count; ++k) {
      const double r = 0.6 + 1.8 * k / (count - 1);
      text += std::to_string(r) + ' ';
      char line[80];
      std::snprintf(line, sizeof(line), "%.17g %.17g\n", energy(std::stod(std::to_string(r))),
                    force(std::stod(std::to_string(r))));
      text += line;
    }
    return text;
  }
  static double energy(double r) { return std::pow(r, -4.0) - std::pow(r, -2.0); }
  static double force(double r) { return 4.0 * std::pow(r, -5.0) - 2.0 * std::pow(r, -3.0); }
  std::string whyNot(const std::string& text, const std::string& section = "") const {
    try {
      readPairTable(write(text), section);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  std::filesystem::path path_;
};

TEST_F(PairTables, SoftForceIsTheSlopeOfTheEnergy) {
  using Force = SoftForce<double, math::Portable>;
  input::Interaction interaction;
  interaction.style = input::FurtherStyle::soft, interaction.cutoff = 1.3;
  interaction.own.get<SoftKeys>().amplitude = 7.0;
  const auto c = Force::coefficients(interaction, 0.01, 1.0);
  const auto at = [&](double r) { return Force::evaluate(c, {r * r, 0.0, 0, 0, {}}); };
  for (double r = 0.01; r < 1.29; r += 0.03) {
    EXPECT_NEAR(at(r).energy, 7.0 * (1.0 + std::cos(M_PI * r / 1.3)), 1e-9);
    EXPECT_NEAR(at(r).forceOverR * r, 7.0 * M_PI / 1.3 * std::sin(M_PI * r / 1.3), 1e-9);
  }
  EXPECT_NEAR(at(1e-12).energy, 14.0, 1e-9);
  EXPECT_LT(std::abs(at(1e-12).forceOverR * 1e-12), 1e-9);
  EXPECT_EQ(at(1.3).forceOverR, 0.0);
  EXPECT_EQ(at(1.3).energy, 0.0);
  const auto nothing = Force::evaluate(Force::Coefficients{}, {0.25, 0.0, 0, 0, {}});
  EXPECT_EQ(nothing.forceOverR, 0.0);
  EXPECT_EQ(nothing.energy, 0.0);
}

TEST_F(PairTables, TableGivesWhatItWasMadeOf) {
  if (backend::onGpu) GTEST_SKIP() << "the table is in the device's memory";
  using Force = TableForce<double, math::Portable>;
  input::Deck deck;
  deck.species = {"A"};
  input::Interaction interaction;
  interaction.style = input::FurtherStyle::table, interaction.between = {"A", "A"}, interaction.cutoff = 2.3;
  interaction.own.get<TableKeys>().file = write(rows(400)), interaction.own.get<TableKeys>().points = 3000;
  deck.interactions = {interaction};
  const auto c = Force::coefficients(PairSettings{deck.interactions[0], deck, 1.0, 1.0, 0});
  const auto tables = Force::uniform(deck, 0);
  const auto at = [&](double r) { return Force::evaluate(c, {r * r, 0.0, 0, 0, {}}, tables); };
  for (double r = 0.61; r < 2.29; r += 0.013) {
    EXPECT_NEAR(at(r).energy, energy(r), 2e-7) << r;
    EXPECT_NEAR(at(r).forceOverR * r, force(r), 5e-5) << r;
    constexpr double h = 1e-6;  // cubic: the slope of the table's own energy
    EXPECT_NEAR(at(r).forceOverR * r, (at(r - h).energy - at(r + h).energy) / (2 * h), 1e-6) << r;
  }
  EXPECT_EQ(at(2.3).forceOverR, 0.0);
  EXPECT_EQ(at(2.3).energy, 0.0);
  EXPECT_EQ(at(9.0).energy, 0.0);
  EXPECT_NEAR(at(0.3).forceOverR, at(0.6).forceOverR, 1e-9 * at(0.6).forceOverR);  // below the first row
  EXPECT_NEAR(at(0.3).energy - at(0.6).energy, 0.5 * (0.36 - 0.09) * at(0.6).forceOverR, 1e-6);
  const auto nothing = Force::evaluate(Force::Coefficients{}, {1.0, 0.0, 0, 0, {}}, tables);
  EXPECT_EQ(nothing.forceOverR, 0.0);
  EXPECT_EQ(nothing.energy, 0.0);
}

TEST_F(PairTables, ConsistencyIsMeasured) {
  EXPECT_LT(mismatchOf(readPairTable(write(rows(400)), "")).worst, 1e-3);
  PairTableFile table = readPairTable(write(rows(400)), "");
  for (double& f : table.force) f = -f;
  EXPECT_GT(mismatchOf(table).worst, 1.0);
  table = readPairTable(write(rows(400)), "");
  table.force[7] *= 1.5;
  EXPECT_GT(mismatchOf(table).worst, 0.1);
  EXPECT_NEAR(mismatchOf(table).line, 2 + 7, 2);  // the first row stands in line 2
}

TEST_F(PairTables, FilesOfLammpsHaveSections) {
  const std::string text = "# by hand\nONE\nN 4 R 1.0 2.5\n\n1 0 3 6\n2 0 2 5\n3 0 1 4\n4 0 0 3\n\n"
                           "TWO\nN 4 RSQ 1.0 2.0\n\n1 0 3 6\n2 0 2 5\n3 0 1 4\n4 0 0.5 3\n";
  const auto one = readPairTable(write(text), "");
  EXPECT_EQ(one.r, (std::vector<double>{1.0, 1.5, 2.0, 2.5}));
  EXPECT_EQ(one.energy.back(), 0.0);
  const auto two = readPairTable(write(text), "TWO");
  EXPECT_TRUE(two.inSquares);
  EXPECT_NEAR(two.r[1], std::sqrt(2.0), 1e-15);
  EXPECT_EQ(two.line.back(), 16);
  EXPECT_THAT(whyNot(text, "THREE"), HasSubstr("there is no section \"THREE\""));
}

TEST_F(PairTables, FilesThatAreWrongAreRefusedWithTheirLine) {
  EXPECT_THAT(whyNot(""), HasSubstr("there is no table in it"));
  EXPECT_THAT(whyNot("1 2 3\n1.5 2 x\n"), HasSubstr(":2: expected a number, the force, found \"x\""));
  EXPECT_THAT(whyNot("1 2 3\n\n0.5 2 3\n"), HasSubstr(":3: r = 0.5 is not above that of the row before, 1"));
  EXPECT_THAT(whyNot("1 2\n"), HasSubstr(":1: expected three columns"));
  EXPECT_THAT(whyNot("1 2 3\n2 2 3\n"), HasSubstr("the table has 2 rows"));
  EXPECT_THAT(whyNot("ONE\nN 4 R 1 2\n1 0 3 6\n"), HasSubstr("the table ends behind 1 of 4 rows"));
  EXPECT_THAT(whyNot("ONE\nN 4 R 2 1\n"), HasSubstr(":2: expected 0 < lowest r < highest r"));
  EXPECT_THAT(whyNot("ONE\nN 4 BITMAP 1 2\n"), HasSubstr("\"BITMAP\" is not known"));
  EXPECT_THAT(whyNot("nan 2 3\n"), HasSubstr("expected \"N ...\""));
}

}  // namespace
}  // namespace mesowarp
