#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/files/output_directory.hpp"
#include "io/log.hpp"
#include "io/progress.hpp"
#include "io/summary.hpp"
#include "io/text/profile_writer.hpp"
#include "io/text/table.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

namespace fs = std::filesystem;
using test::messageOf;
using test::readFile;
using test::TemporaryDirectory;
using test::writeFile;
using testing::HasSubstr;

TEST(IoTable, WritesRowsAtOnce) {
  const TemporaryDirectory directory;
  TableWriter table(directory / "t.csv", {"temperature", "pressure"});
  table.append(0, std::vector<double>{1.0 / 3.0, NAN});
  table.append(10, {{"pressure", 2.0}, {"energy", 7.0}, {"temperature", 1e-20}});
  EXPECT_EQ(readFile(directory / "t.csv"), "step,temperature,pressure\n0,0.3333333333333333,nan\n10,1e-20,2\n");
  EXPECT_THROW(table.append(10, std::vector<double>{1, 2}), RunError);
  EXPECT_THROW(table.append(20, std::vector<double>{1}), RunError);
  EXPECT_THROW(table.append(20, std::map<std::string, double>{{"pressure", 1}}), RunError);
}

TEST(IoTable, ResumeDropsLaterAndTornRows) {
  const TemporaryDirectory directory;
  const std::string kept = "step,x\n0,1\n10,2\n";
  for (const char* rest : {"", "20,3\n30,4\n", "15", "15,3", "15\n16,4\n", "nonsense,4\n"}) {
    writeFile(directory / "t.csv", kept + rest);
    TableWriter table = TableWriter::resume(directory / "t.csv", {"x"}, 15);
    EXPECT_EQ(table.lastStep(), 10);
    table.append(20, std::vector<double>{5});
    EXPECT_EQ(readFile(directory / "t.csv"), kept + "20,5\n") << rest;
  }
  EXPECT_THAT(messageOf<InputError>([&] { TableWriter::resume(directory / "t.csv", {"y"}, 15); }), HasSubstr("step,y"));
  EXPECT_THROW(TableWriter::resume(directory / "none.csv", {"x"}, 15), InputError);
}

ProfileBlock sampleBlock(std::int64_t first) {
  ProfileBlock block;
  block.firstStep = first;
  block.lastStep = first + 9;
  block.samples = 10;
  block.axis = 2;
  block.coordinate = {0.5, 1.5};
  block.count = {3, 4};
  block.density = {3.0, 4.0};
  block.velocity = {0.1, 0, 0, 0.2, 0, 0};
  block.temperature = {1.0, static_cast<double>(first)};
  return block;
}

// Goes on with the profile "flow" as from a checkpoint that knows no marks.
ProfileWriter resumeFlow(const TemporaryDirectory& directory, const std::vector<std::string>& quantities,
                         std::int64_t lastStep) {
  return ProfileWriter::resume(directory.path(), "flow", quantities, lastStep,
                               ProfileWriter::look(directory.path(), "flow", quantities, 2, lastStep, {}));
}

const std::vector<std::string> allQuantities{"density", "velocity", "temperature"};

TEST(IoProfile, WritesAndResumes) {
  const TemporaryDirectory directory;
  {
    ProfileWriter writer(directory.path(), "flow", allQuantities);
    for (const std::int64_t first : {1, 11, 21}) writer.append(sampleBlock(first));
    EXPECT_THAT(readFile(directory / "flow.csv"), HasSubstr("\n0,1,10,0.5,3,0.1,0,0,1,10,3,,,,,\n"));
  }
  ProfileWriter writer = resumeFlow(directory, allQuantities, 25);
  EXPECT_EQ(writer.blocks(), 2U);
  ProfileBlock block = sampleBlock(31);
  block.densityError = {0.1, 0.2};
  writer.append(block);
  EXPECT_THAT(readFile(directory / "flow.csv"), HasSubstr("\n1,11,20,1.5,4,0.2,0,0,11,10,4,,,,,\n2,31,40,0.5,"));
  const auto file = hdf5::openFile(directory / "flow.h5", hdf5::Mode::read);
  EXPECT_EQ(hdf5::readDataset<std::int64_t>(file.get(), "last_step"), (std::vector<std::int64_t>{10, 20, 40}));
  EXPECT_EQ(hdf5::shapeOf(file.get(), "velocity"), (hdf5::Shape{3, 2, 3}));
  EXPECT_EQ(hdf5::readDataset<double>(file.get(), "temperature"), (std::vector<double>{1, 1, 1, 11, 1, 31}));
  EXPECT_EQ(hdf5::readTextAttribute(file.get(), "coordinate", "axis"), std::vector<std::string>{"z"});
  block.coordinate.push_back(2.5);
  EXPECT_THROW(writer.append(block), RunError);
}

TEST(IoProfile, ResumesBeforeTheFirstBlock) {
  const TemporaryDirectory directory;
  ProfileWriter(directory.path(), "flow", allQuantities);
  ProfileWriter writer = resumeFlow(directory, allQuantities, 0);
  writer.append(sampleBlock(1));
  EXPECT_EQ(writer.blocks(), 1U);
  ProfileWriter(directory.path(), "other", allQuantities).append(sampleBlock(1));
  EXPECT_THAT(messageOf<InputError>([&] { ProfileWriter::look(directory.path(), "other", allQuantities, 3, 0, {}); }),
              HasSubstr("it has 2 bins, the deck's [[measure]] has 3"));
}

TEST(IoProfile, WritesTheChosenQuantitiesOnly) {
  const TemporaryDirectory directory;
  const std::vector<std::string> chosen{"temperature", "velocity"};  // the deck's order does not matter
  ProfileWriter(directory.path(), "flow", chosen).append(sampleBlock(1));
  EXPECT_EQ(readFile(directory / "flow.csv"),
            "block,first_step,last_step,coordinate,velocity_x,velocity_y,velocity_z,temperature,samples,count,velocity_"
            "x_error,velocity_y_error,velocity_z_error,temperature_error\n"
            "0,1,10,0.5,0.1,0,0,1,10,3,,,,\n0,1,10,1.5,0.2,0,0,1,10,4,,,,\n");
  {
    const auto file = hdf5::openFile(directory / "flow.h5", hdf5::Mode::read);
    EXPECT_FALSE(hdf5::exists(file.get(), "density"));
    EXPECT_FALSE(hdf5::exists(file.get(), "density_error"));
    EXPECT_EQ(hdf5::readDataset<double>(file.get(), "count"), (std::vector<double>{3, 4}));
  }
  ProfileWriter writer = resumeFlow(directory, chosen, 10);
  writer.append(sampleBlock(11));
  EXPECT_EQ(writer.blocks(), 2U);
  EXPECT_THAT(messageOf<InputError>([&] { resumeFlow(directory, allQuantities, 10); }),
              HasSubstr("coordinate,density,velocity_x"));
}

TEST(IoSummary, IsWrittenAsAWhole) {
  const TemporaryDirectory directory;
  writeSummary(directory / "summary.json", {{"steps", 5}, {"bad", NAN}, {"text", "\xff"}});
  const auto read = nlohmann::json::parse(readFile(directory / "summary.json"));
  EXPECT_EQ(read["steps"], 5);
  EXPECT_TRUE(read["bad"].is_null());
  EXPECT_FALSE(fs::exists(directory / "summary.json.tmp"));
  EXPECT_THROW(writeSummary(directory / "none/summary.json", {}), RunError);
}

OutputRequest requestOf(const std::string& path, bool resuming = false, bool force = false) {
  return {path, resuming, force, {"summary.json", "run.log", "thermo.csv", "deck.toml"}};
}

// A run's begin and end; what begin() moved.
std::vector<std::string> runIn(const OutputRequest& request) {
  OutputDirectory directory(request);
  directory.begin();
  return directory.notes();
}

TEST(IoOutputDirectory, SetsEarlierResultsAside) {
  const TemporaryDirectory directory;
  const std::string path = directory / "deep/results";
  EXPECT_TRUE(runIn(requestOf(path + "/")).empty());
  writeFile(path + "/notes.txt", "mine");
  EXPECT_TRUE(runIn(requestOf(path)).empty());  // no results yet
  int number = 0;
  for (const char* result : {"summary.json", "checkpoint-5.h5", "thermo.csv"}) {
    writeFile(path + "/" + result, "old");
    ASSERT_EQ(runIn(requestOf(path + "/")).size(), 1U);
    EXPECT_EQ(readFile(path + "." + std::to_string(++number) + "/" + result), "old");
    EXPECT_FALSE(fs::exists(path + "/" + result));
  }
  EXPECT_EQ(readFile(path + ".1/notes.txt"), "mine");
  writeFile(directory / "file", "");
  EXPECT_THROW(runIn(requestOf(directory / "file")), InputError);
  EXPECT_THROW(runIn(requestOf(directory / "file/below")), InputError);
  EXPECT_THROW(runIn(requestOf("")), InputError);
  EXPECT_THROW(runIn(requestOf(directory / "none", true)), InputError);
  EXPECT_TRUE(runIn(requestOf(path, true)).empty());
}

TEST(IoOutputDirectory, DoesNotMoveTheCurrentDirectory) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(runIn(requestOf(directory.path())).empty());
  writeFile(directory / "run.log", "old");
  const fs::path before = fs::current_path();
  fs::current_path(directory.path());
  EXPECT_THAT(messageOf<InputError>([] { runIn(requestOf(".")); }), HasSubstr("current directory"));
  fs::current_path(before);
  EXPECT_EQ(readFile(directory / "run.log"), "old");
}

TEST(IoOutputDirectory, LeavesWhatIsNotItsOwn) {
  const TemporaryDirectory directory;
  writeFile(directory / "thermo.csv", "mine");
  EXPECT_THAT(messageOf<InputError>([&] { runIn(requestOf(directory.path())); }), HasSubstr("thermo.csv"));
  EXPECT_FALSE(fs::exists(directory / RunMark::name));
  EXPECT_EQ(runIn(requestOf(directory.path(), false, true)).size(), 1U);
  EXPECT_EQ(readFile(directory / "earlier-1/thermo.csv"), "mine");
}

TEST(IoOutputDirectory, IsOfOneRunAtATime) {
  const TemporaryDirectory directory;
  const std::string path = directory / "results";
  OutputDirectory first(requestOf(path));
  first.begin();
  for (const bool resuming : {false, true})
    EXPECT_THAT(messageOf<InputError>([&] { OutputDirectory second(requestOf(path, resuming, true)); }),
                HasSubstr("process " + std::to_string(::getpid())));
  EXPECT_NO_THROW(first.requireInPlace());
  fs::rename(path, path + "-moved");
  EXPECT_EQ(first.place(), fs::canonical(path + "-moved").string());
  EXPECT_THAT(messageOf<RunError>([&] { first.requireInPlace(); }), HasSubstr("was moved to"));
  EXPECT_TRUE(runIn(requestOf(path)).empty());  // another directory by that name
  fs::remove_all(path + "-moved");
  EXPECT_EQ(first.place(), "");
  EXPECT_THAT(messageOf<RunError>([&] { first.requireInPlace(); }), HasSubstr("was deleted"));
}

TEST(IoLog, GoesToFileAndConsole) {
  const TemporaryDirectory directory;
  const auto before = spdlog::default_logger();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  setUpLog();
  openLogFile(directory.path());
  spdlog::info("particles: {}", 5);
  spdlog::warn("careful");
  const std::string log = readFile(directory / "run.log");
  setUpLog({.quiet = true});
  spdlog::info("unseen");
  EXPECT_THROW(openLogFile(directory / "run.log"), RunError);
  setUpLog({.quiet = false, .primary = false});
  spdlog::warn("unseen");
  spdlog::error("broken");
  spdlog::set_default_logger(before);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "particles: 5\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: careful\nerror: broken\n");
  EXPECT_THAT(log, HasSubstr(" info: particles: 5\n"));
}

TEST(IoProgress, PlainLinesByTenths) {
  double now = 100.0;
  testing::internal::CaptureStdout();
  Progress progress(0, 1000, {false, false, stdout, [&] { return now; }});
  for (std::int64_t step = 1; step <= 1000; ++step) {
    now += 0.015625;
    progress.update(step);
  }
  progress.finish();
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_THAT(text, HasSubstr("step 500 of 1000 (50%), 64 steps/s, 8 s left\n"));
}

TEST(IoProgress, TerminalLineIsDrawnOverItself) {
  double now = 0.0;
  testing::internal::CaptureStdout();
  Progress progress(100, 200, {false, true, stdout, [&] { return now; }});
  progress.update(101);
  now = 1.0;
  progress.update(150);
  progress.finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "\r\033[Kstep 150 of 200 (50%), 50 steps/s, 1 s left\r\033[K");
  EXPECT_EQ(durationText(3725), "1 h 2 min");
  EXPECT_EQ(durationText(90000), "1 d 1 h");
  EXPECT_EQ(durationText(NAN), "?");
}

}  // namespace
}  // namespace mesowarp::io
