// Averages of the table, and numbers with as many digits as their errors allow.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/text/table.hpp"
#include "io/text/table_reader.hpp"
#include "run/recorders/table_averages.hpp"
#include "run/recorders/thermo.hpp"
#include "run/run_history.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::test {
namespace {

TEST(AppTableAverages, DigitsFollowFromTheError) {
  EXPECT_EQ(withError(23.67412, 0.0374), "23.674 ± 0.037");
  EXPECT_EQ(withError(1.00249, 0.00141), "1.0025 ± 0.0014");
  EXPECT_EQ(withError(-0.2512812345, 0.00000123), "-0.2512812 ± 0.0000012");
  EXPECT_EQ(withError(123456.7, 230.0), "123457 ± 230");
  EXPECT_EQ(withError(0.5, 0.0), "0.5 ± 0");
  EXPECT_EQ(withError(0.5, std::numeric_limits<double>::quiet_NaN()), "0.5");
  EXPECT_EQ(withError(1.0, 3e-17), "1 ± 3.0e-17");
}

TEST(AppTableAverages, TheErrorIsThatOfTheMeanOfTenBlocks) {
  std::vector<double> values;
  for (int k = 0; k < 40; ++k)
    values.push_back(k < 20 ? 1000.0 : (k / 2) % 2 ? 3.0 : 1.0);  // the second half: ten pairs
  const auto averages = tableAverages({{"time", values}, {"temperature", values}}, {});
  ASSERT_EQ(averages.columns.size(), 1u);
  EXPECT_EQ(averages.rows, 20u);
  EXPECT_DOUBLE_EQ(averages.columns[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(averages.columns[0].error, std::sqrt(10.0 / 9.0 / 10.0));
  EXPECT_TRUE(std::isnan(blockAverage({1.0}).second));
}

TEST(AppTableAverages, EnergyIsComparedWithItsFirstWhereItIsKept) {
  input::Deck deck;
  deck.interactions.push_back({{"A", "A"}, "gravity"});
  const std::vector<std::pair<std::string, std::vector<double>>> table{{"total_energy", {-2.0, -2.1, -1.8, -2.0}}};
  EXPECT_NEAR(tableAverages(table, deck).energyError, 0.1, 1e-15);
  EXPECT_NEAR(jsonOf(tableAverages(table, deck)).at("relative_energy_error").get<double>(), 0.1, 1e-15);
  deck.interactions[0].style = input::InteractionStyle::dpd;
  EXPECT_FALSE(jsonOf(tableAverages(table, deck)).contains("relative_energy_error"));
}

TEST(AppTableAverages, ATableReadsBackToTheBit) {
  const io::test::TemporaryDirectory directory;
  const std::string path = directory / "thermo.csv";
  const std::vector<double> values{0.1, 1.0 / 3.0, -2.5e-300, std::numeric_limits<double>::quiet_NaN()};
  {
    io::TableWriter table(path, {"a", "b"});
    for (std::size_t k = 0; k < values.size(); ++k)
      table.append(static_cast<i64>(5 * k), std::map<std::string, double>{{"a", values[k]}, {"b", 7.0}});
  }
  std::ofstream(path, std::ios::app) << "20,1.0,\n25,1.0,2.0\n";
  const io::Table table = io::readTable(path);
  EXPECT_EQ(table.step, (std::vector<std::int64_t>{0, 5, 10, 15}));
  for (std::size_t k = 0; k + 1 < values.size(); ++k) EXPECT_EQ(table.columns.at("a")[k], values[k]);
  EXPECT_TRUE(std::isnan(table.columns.at("a")[3]));
  EXPECT_EQ(table.columns.at("b"), std::vector<double>(4, 7.0));
  EXPECT_TRUE(io::readTable(directory / "none").step.empty());
}

TEST(AppRunHistory, ACheckpointWithoutOneHasATimeThatIsNotKnown) {
  RunHistory history;
  history.restore({}, 70);
  history.begin({70, 70, 0.0, 2, 4, "this"});
  history.advance(100, 1.5);
  nlohmann::json summary;
  history.addTo(summary, 10.0);
  EXPECT_EQ(summary["steps"], 100);
  EXPECT_TRUE(nlohmann::json::parse(summary.dump())["wall_s"].is_null());
  EXPECT_EQ(summary["runs"].size(), 2u);
  io::CheckpointContent next;
  next.texts[RunHistory::textOfCheckpoint] = history.text();
  RunHistory again;
  again.restore(next, 100);
  EXPECT_EQ(again.text(), history.text());
  next.texts[RunHistory::textOfCheckpoint] = "[{]";
  again.restore(next, 100);
  EXPECT_EQ(again.steps(), 100);
}

}  // namespace
}  // namespace mesowarp::test
