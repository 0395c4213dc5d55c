// Files that are overwritten in place come back to what they were at a checkpoint, wherever a run was killed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "io/files/earlier_output.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/text/profile_writer.hpp"
#include "io/text/table.hpp"
#include "tests/unit/io/io_killed.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

namespace fs = std::filesystem;
using test::killedAtWrite;
using test::messageOf;
using test::readFile;
using test::TemporaryDirectory;
using test::writeFile;
using testing::HasSubstr;
using Growth = EarlierOutput::Growth;
using State = EarlierOutput::State;

// A file of three and a half pages, overwritten here and there under a journal.
class Undo : public testing::Test {
protected:
  Undo() { writeFile(path_, first_); }

  // As the driver does it: save, then overwrite.
  static void overwrite(const std::string& path, UndoJournal& journal, std::size_t at, const std::string& bytes) {
    const FileDescriptor file = openFile(path, O_RDWR);
    ASSERT_EQ(journal.save(file.get(), at, bytes.size()), 0);
    writeAllAt(file, at, bytes, path);
  }
  std::string rolledBack(std::int64_t step) const {
    const EarlierOutput output(path_, step, nullptr, Growth::overwritten);
    EXPECT_EQ(output.state(), State::exact);
    output.rollBack();
    return readFile(path_);
  }
  UndoJournal journal(std::int64_t step) const { return {path_, {step, markOf(path_), false}}; }

  const TemporaryDirectory directory_;
  const std::string path_ = directory_ / "data.h5";
  const std::string first_ = std::string(5000, 'a') + std::string(9000, 'b');
};

TEST_F(Undo, RollsBackToEitherOfTwoMarks) {
  UndoJournal first = journal(10);
  overwrite(path_, first, 4000, std::string(200, 'X'));    // pages 0 and 1
  overwrite(path_, first, 14000, std::string(9000, 'Y'));  // behind the end
  const std::string second = readFile(path_);
  UndoJournal later = journal(20);
  overwrite(path_, later, 4000, std::string(200, 'Z'));
  overwrite(path_, later, 13000, std::string(30000, 'W'));
  const std::string last = readFile(path_);
  const std::string copy = directory_ / "copy";
  fs::copy(directory_.path(), copy);
  EXPECT_EQ(rolledBack(20), second);
  EXPECT_EQ(rolledBack(20), second);
  EXPECT_EQ(rolledBack(10), first_);
  EXPECT_EQ(rolledBack(10), first_);
  EXPECT_NE(last, second);
  const EarlierOutput both(copy + "/data.h5", 10, nullptr, Growth::overwritten);
  both.rollBack();  // over both journals at once
  EXPECT_EQ(readFile(copy + "/data.h5"), first_);
  EXPECT_FALSE(fs::exists(copy + "/.data.h5.undo-20"));
}

TEST_F(Undo, ATornOrAlteredLastPageIsLeftOut) {
  UndoJournal undo = journal(10);
  overwrite(path_, undo, 100, "XXX");
  const std::string once = readFile(path_), name = directory_ / ".data.h5.undo-10";
  const auto whole = fs::file_size(name);
  {
    const FileDescriptor file = openFile(path_, O_RDWR);
    ASSERT_EQ(undo.save(file.get(), 9000, 10), 0);  // saved, and killed before it was overwritten
  }
  const std::string stored = readFile(name);
  for (std::size_t size = whole; size < stored.size(); size += 512) {
    writeFile(path_, once), writeFile(name, stored.substr(0, size));
    EXPECT_EQ(rolledBack(10), first_) << size;
  }
  std::string altered = stored;
  altered.back() ^= 1;
  writeFile(path_, once), writeFile(name, altered);
  EXPECT_EQ(rolledBack(10), first_);
}

TEST_F(Undo, SavesAPageOnce) {
  UndoJournal undo = journal(10);
  overwrite(path_, undo, 0, "one");
  const auto size = fs::file_size(directory_ / ".data.h5.undo-10");
  overwrite(path_, undo, 4000, "two");
  overwrite(path_, undo, 20000, "behind the end");
  EXPECT_EQ(fs::file_size(directory_ / ".data.h5.undo-10"), size);
  EXPECT_EQ(rolledBack(10), first_);
}

TEST_F(Undo, ARollBackThatIsKilledIsRepeated) {
  UndoJournal undo = journal(10);
  overwrite(path_, undo, 4000, std::string(200, 'X'));
  UndoJournal later = journal(20);
  overwrite(path_, later, 0, std::string(14000, 'Z'));
  const TemporaryDirectory home;
  for (int n = 1;; ++n) {
    const std::string copy = home / std::to_string(n);
    fs::copy(directory_.path(), copy);
    const auto rollBack = [&] { EarlierOutput(copy + "/data.h5", 10, nullptr, Growth::overwritten).rollBack(); };
    const bool killed = killedAtWrite(n, rollBack);
    rollBack();
    EXPECT_EQ(readFile(copy + "/data.h5"), first_) << n;
    if (!killed) break;
    ASSERT_LT(n, 100);
  }
}

TEST_F(Undo, WhatWasLostIsToldBeforeAnythingIsTouched) {
  const FileMark mark = markOf(path_);
  const auto look = [&](Growth growth) { return EarlierOutput(path_, 10, &mark, growth); };
  EXPECT_EQ(look(Growth::appended).state(), State::exact);
  EXPECT_EQ(look(Growth::overwritten).state(), State::rows);  // no journal: copied without it
  writeFile(path_, first_ + "more");
  look(Growth::appended).rollBack();
  EXPECT_EQ(readFile(path_), first_);
  writeFile(path_, first_.substr(0, 13999));
  EXPECT_THAT(messageOf<InputError>([&] { look(Growth::appended); }),
              testing::AllOf(HasSubstr("has 13999 bytes, but had 14000"), HasSubstr("move the file away")));
  writeFile(path_, first_.substr(0, 13990) + "cccccccccccccc");
  EXPECT_THAT(messageOf<InputError>([&] { look(Growth::appended); }), HasSubstr("is not what it was"));
  UndoJournal undo = journal(10);  // of another file than the checkpoint's
  EXPECT_THAT(messageOf<InputError>([&] { look(Growth::overwritten); }), HasSubstr("is not the file"));
}

TEST_F(Undo, AFileThatWasBegunAnewDoesNotBlockTheNextResume) {
  const FileMark mark = markOf(path_);
  fs::remove(path_);
  for (int resume = 0; resume < 2; ++resume) {
    const EarlierOutput output(path_, 10, &mark, Growth::appended);
    EXPECT_EQ(output.state(), State::absent);
    output.giveUp();
    writeFile(path_, "step,x\n20,1\n");
  }
  EXPECT_EQ(EarlierOutput(path_, 5, &mark, Growth::appended).state(), State::absent);  // nor one from further back
  EXPECT_EQ(EarlierOutput(path_, 20, nullptr, Growth::appended).state(), State::rows);
  removeJournalsBefore(directory_.path(), 20);
  EXPECT_TRUE(journalsOf(path_).empty());
}

TEST(IoMarks, AreTextInACheckpoint) {
  const FileMarks marks{{"thermo.csv", {7, ~std::uint64_t{0}}}, {"a \"b\".h5", {std::uint64_t{1} << 60, 3}}};
  EXPECT_EQ(parseMarks(formatMarks(marks)), marks);
  EXPECT_THROW(parseMarks("{\"a\": 1}"), RunError);
  EXPECT_THROW(parseMarks("nonsense"), RunError);
}

// A row that looks right may still be one too many or follow a gap: what counts is the length.
TEST(IoMarks, RowsBehindTheMarkGoWhateverTheyLookLike) {
  const TemporaryDirectory directory;
  const std::string path = directory / "t.csv";
  TableWriter table(path, {"x"});
  table.append(0, std::vector<double>{1}), table.append(10, std::vector<double>{2});
  const FileMark mark = table.mark();
  const std::string kept = readFile(path);
  table.append(11, std::vector<double>{3});  // of a step before the checkpoint's, but not of this run
  EarlierOutput(path, 15, &mark, Growth::appended).rollBack();
  EXPECT_EQ(readFile(path), kept);
  EXPECT_EQ(TableWriter::reopen(path, {"x"}).lastStep(), 10);
}

constexpr std::size_t wideBins = 3000;

ProfileBlock wideBlock(std::int64_t first) {
  ProfileBlock block;
  block.firstStep = first, block.lastStep = first + 3, block.samples = 4;
  for (std::size_t b = 0; b < wideBins; ++b) {
    const double x = static_cast<double>(b) + 1e4 * static_cast<double>(first);
    block.coordinate.push_back(static_cast<double>(b));
    for (auto* values : {&block.count, &block.density, &block.temperature}) values->push_back(x);
    block.velocity.insert(block.velocity.end(), {x, 2 * x, 3 * x});
  }
  return block;
}

const std::vector<std::string> quantities{"density", "velocity", "temperature"};

std::map<std::string, std::vector<double>> profileIn(const std::string& path) {
  const hdf5::File file = hdf5::openFile(path, hdf5::Mode::read);
  std::map<std::string, std::vector<double>> all;
  for (const char* name :
       {"first_step", "last_step", "samples", "coordinate", "count", "density", "velocity", "temperature"})
    all[name] = hdf5::readDataset<double>(file.get(), name);
  return all;
}

ProfileWriter resumeWide(const std::string& directory, std::int64_t step, const FileMarks& marks) {
  return ProfileWriter::resume(directory, "wide", quantities, step,
                               ProfileWriter::look(directory, "wide", quantities, wideBins, step, marks));
}

// Chunks of wide rows are larger than what HDF5 allocates at once: a kill between its writes leaves an end of the file
// before chunks that are taken already, and whoever goes on from there is given their places once more.
TEST(IoProfile, WideRowsSurviveAKillAtAnyWrite) {
  const TemporaryDirectory directory;
  const std::string begun = directory / "begun", whole = directory / "whole";
  fs::create_directory(begun);
  FileMarks marks;
  {
    ProfileWriter writer(begun, "wide", quantities);
    writer.append(wideBlock(1));
    writer.mark(5, marks);
    fs::copy(begun, whole);
    for (const std::int64_t first : {5, 9, 13}) writer.append(wideBlock(first));
  }
  fs::remove_all(begun), fs::copy(whole, begun);
  const auto goOn = [&](const std::string& at) {
    ProfileWriter writer = resumeWide(at, 5, marks);
    for (const std::int64_t first : {5, 9, 13}) writer.append(wideBlock(first));
  };
  goOn(whole);
  const auto expected = profileIn(whole + "/wide.h5");
  int kills = 0;
  for (int n = 1;; n += 3, ++kills) {
    const std::string at = directory / "killed";
    fs::remove_all(at), fs::copy(begun, at);
    const bool killed = killedAtWrite(n, [&] { goOn(at); });
    goOn(at);
    ASSERT_EQ(profileIn(at + "/wide.h5"), expected) << n;
    ASSERT_EQ(readFile(at + "/wide.csv"), readFile(whole + "/wide.csv")) << n;
    if (!killed) break;
  }
  EXPECT_GT(kills, 15);
}

TEST(IoTrajectory, SurvivesAKillAtAnyWrite) {
  const TemporaryDirectory directory;
  const H5mdMetadata own{"0.1", "A. Tester", "", {"water"}};
  const std::string begun = directory / "begun", at = directory / "t.h5", journal = directory / ".t.h5.undo-10";
  FileMark mark;
  {
    H5mdWriter writer(begun, own, {TrajectoryField::velocity}, StoredPrecision::double_);
    for (const std::int64_t step : {0, 10}) writer.append(test::sampleSnapshot(700, step));
    mark = writer.mark(10);
  }
  const auto goOn = [&] {
    const EarlierOutput earlier(at, 10, &mark, Growth::overwritten);
    earlier.rollBack();
    H5mdWriter writer = H5mdWriter::resume(at, 10, nullptr, earlier.base());
    for (const std::int64_t step : {20, 30, 40}) writer.append(test::sampleSnapshot(700, step));
  };
  int kills = 0;
  for (int n = 1;; n += 3, ++kills) {
    fs::copy_file(begun, at, fs::copy_options::overwrite_existing);
    fs::copy_file(directory / ".begun.undo-10", journal, fs::copy_options::overwrite_existing);
    EarlierOutput(at, 10, &mark, Growth::overwritten).rollBack();
    const bool killed = killedAtWrite(n, goOn);
    goOn();
    const H5mdReader reader(at);
    ASSERT_EQ(reader.steps(), (std::vector<std::int64_t>{0, 10, 20, 30, 40})) << n;
    for (std::size_t frame = 0; frame < 5; ++frame)
      ASSERT_EQ(reader.read(frame).velocity, test::sampleSnapshot(700, 10 * static_cast<std::int64_t>(frame)).velocity)
          << n;
    if (!killed) break;
  }
  EXPECT_GT(kills, 10);
}

}  // namespace
}  // namespace mesowarp::io
