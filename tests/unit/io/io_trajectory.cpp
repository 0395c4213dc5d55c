#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/convert/convert.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/h5md/xdmf.hpp"
#include "io/lammps/initial_file.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

using test::messageOf;
using test::readFile;
using test::sampleSnapshot;
using test::TemporaryDirectory;
using testing::HasSubstr;
using enum TrajectoryField;

const H5mdMetadata metadata{"0.1", "A. Tester", "[run]\nsteps = 3\n", {"water", "oil"}};
const std::vector<TrajectoryField> allFields{position, image, velocity, force, species, mass, id};

void expectEqual(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.box, b.box);
  EXPECT_EQ(a.periodic, b.periodic);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.species, b.species);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.image, b.image);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.force, b.force);
  EXPECT_EQ(a.bonds, b.bonds);
}

TEST(IoTrajectory, DoublePrecisionReturnsWhatWasWritten) {
  const TemporaryDirectory directory;
  H5mdWriter writer(directory / "t.h5", metadata, allFields, StoredPrecision::double_);
  for (const std::int64_t step : {0, 10, 20}) writer.append(sampleSnapshot(7, step));
  writer.flush();
  const H5mdReader reader(directory / "t.h5");  // while the writer is still open
  ASSERT_EQ(reader.frames(), 3U);
  EXPECT_EQ(reader.particles(), 7U);
  EXPECT_EQ(reader.deck(), metadata.deck);
  EXPECT_EQ(reader.speciesNames(), metadata.speciesNames);
  for (std::size_t frame = 0; frame < 3; ++frame)
    expectEqual(reader.read(frame), sampleSnapshot(7, 10 * static_cast<std::int64_t>(frame)));
  EXPECT_THROW(reader.read(3), InputError);
}

TEST(IoTrajectory, SinglePrecisionAndFewFields) {
  const TemporaryDirectory directory;
  H5mdWriter(directory / "t.h5", metadata, {velocity}, StoredPrecision::single).append(sampleSnapshot(5, 3));
  const Snapshot read = H5mdReader(directory / "t.h5").read(0), written = sampleSnapshot(5, 3);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(read.position[i], static_cast<float>(written.position[i]));
  EXPECT_TRUE(read.force.empty());
  EXPECT_TRUE(read.image.empty());
  EXPECT_TRUE(read.mass.empty());
  EXPECT_EQ(read.tag, written.tag);
}

TEST(IoTrajectory, LargeFramesSpanChunks) {
  const TemporaryDirectory directory;
  H5mdWriter writer(directory / "t.h5", metadata, {position}, StoredPrecision::double_);
  for (const std::int64_t step : {0, 1}) writer.append(sampleSnapshot(100000, step));
  EXPECT_EQ(H5mdReader(directory / "t.h5").read(1).position, sampleSnapshot(100000, 1).position);
}

TEST(IoTrajectory, ResumeDropsLaterFramesAndGoesOn) {
  const TemporaryDirectory directory;
  {
    H5mdWriter writer(directory / "t.h5", metadata, allFields, StoredPrecision::double_);
    for (const std::int64_t step : {0, 10, 20, 30}) writer.append(sampleSnapshot(7, step));
  }
  H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 15);
  EXPECT_EQ(writer.frames(), 2U);
  EXPECT_EQ(writer.lastStep(), 10);
  EXPECT_THROW(writer.append(sampleSnapshot(7, 10)), RunError);
  EXPECT_THROW(writer.append(sampleSnapshot(8, 20)), RunError);
  writer.append(sampleSnapshot(7, 25));
  const H5mdReader reader(directory / "t.h5");
  EXPECT_EQ(reader.steps(), (std::vector<std::int64_t>{0, 10, 25}));
  expectEqual(reader.read(2), sampleSnapshot(7, 25));
}

TEST(IoTrajectory, ResumeBeforeTheFirstFrame) {
  const TemporaryDirectory directory;
  H5mdWriter(directory / "t.h5", metadata, {velocity}, StoredPrecision::double_);
  H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 100);
  EXPECT_TRUE(writer.has(velocity));
  writer.append(sampleSnapshot(3, 110));
  EXPECT_EQ(H5mdReader(directory / "t.h5").read(0).velocity, sampleSnapshot(3, 110).velocity);
  EXPECT_THROW(H5mdWriter::resume(directory / "none.h5", 0), InputError);
  test::writeFile(directory / "text.h5", "not HDF5");
  EXPECT_THAT(messageOf<InputError>([&] { H5mdWriter::resume(directory / "text.h5", 0); }), HasSubstr("text.h5"));
}

// A full disk fails the run, loses no earlier frame, and does not bring the process down when HDF5 is closed.
TEST(IoTrajectory, FullDiskKeepsEarlierFrames) {
  for (const std::size_t spare : {0, 100, 3000, 60000, 200000}) {
    const TemporaryDirectory directory;
    H5mdWriter writer(directory / "t.h5", metadata, allFields, StoredPrecision::double_);
    for (const std::int64_t step : {0, 10}) writer.append(sampleSnapshot(500, step));
    {
      const test::FileSizeLimit limit(std::filesystem::file_size(directory / "t.h5") + spare);
      std::int64_t step = 20;
      EXPECT_THAT(messageOf<RunError>([&] {
                    for (; step < 2000; step += 10) writer.append(sampleSnapshot(500, step));
                  }),
                  HasSubstr("t.h5: File too large"));
    }
    { const H5mdWriter closed = std::move(writer); }
    H5mdWriter resumed = H5mdWriter::resume(directory / "t.h5", 10);
    expectEqual(H5mdReader(directory / "t.h5").read(1), sampleSnapshot(500, 10));
    resumed.append(sampleSnapshot(500, 20));
    expectEqual(H5mdReader(directory / "t.h5").read(2), sampleSnapshot(500, 20));
  }
}

TEST(IoTrajectory, MissingFieldIsAnError) {
  const TemporaryDirectory directory;
  H5mdWriter writer(directory / "t.h5", metadata, {force}, StoredPrecision::single);
  Snapshot snapshot = sampleSnapshot(4, 0);
  snapshot.force.clear();
  EXPECT_THAT(messageOf<RunError>([&] { writer.append(snapshot); }), HasSubstr("force"));
  EXPECT_THAT(messageOf<InputError>([] { trajectoryField("velocities"); }), HasSubstr("velocity"));
}

TEST(IoTrajectory, IsAnInitialState) {
  const TemporaryDirectory directory;
  H5mdWriter writer(directory / "t.h5", metadata, allFields, StoredPrecision::double_);
  for (const std::int64_t step : {0, 10}) writer.append(sampleSnapshot(6, step));
  const FileState state = readInitialFile(directory / "t.h5");
  const Snapshot last = sampleSnapshot(6, 10);
  EXPECT_EQ(state.position, last.position);
  EXPECT_EQ(state.velocity, last.velocity);
  EXPECT_EQ(state.image, last.image);
  EXPECT_EQ(state.type, (std::vector<std::int32_t>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(state.speciesNames, metadata.speciesNames);
  ASSERT_EQ(state.bonds.size(), 3U);
  EXPECT_EQ(state.bonds[1].a, 2);
  EXPECT_EQ(state.bonds[1].b, 3);
}

TEST(IoTrajectory, SinglePrecisionAtTheEdgeStaysInTheBox) {
  const TemporaryDirectory directory;
  Snapshot snapshot = sampleSnapshot(1, 0);
  snapshot.box = {10.1, 10.1, 10.1};  // the nearest float is above
  snapshot.position = {std::nextafter(10.1, 0.0), 1.0, std::nextafter(10.1, 0.0)};
  snapshot.image = {2, 0, 2};
  H5mdWriter(directory / "t.h5", metadata, {image}, StoredPrecision::single).append(snapshot);
  const FileState state = readInitialFile(directory / "t.h5");
  EXPECT_EQ(state.position[0], 0.0);  // periodic: goes round
  EXPECT_EQ(state.image[0], 3);
  EXPECT_EQ(state.position[2], std::nextafter(10.1, 0.0));  // a wall: stays on its side
  EXPECT_EQ(state.image[2], 2);
}

TEST(IoTrajectory, XdmfListsEveryFrameAndStaysComplete) {
  const TemporaryDirectory directory;
  const auto gridsIn = [](const std::string& text) {
    std::size_t count = 0;
    for (auto at = text.find("GridType=\"Uniform\""); at != std::string::npos;
         at = text.find("GridType=\"Uniform\"", at + 1))
      ++count;
    return count;
  };
  {
    H5mdWriter writer(directory / "t.h5", metadata, allFields, StoredPrecision::single);
    XdmfWriter xdmf(directory / "t.xmf");
    for (const std::int64_t step : {0, 10, 20}) {
      writer.append(sampleSnapshot(7, step));
      xdmf.update(writer);
      const std::string text = readFile(directory / "t.xmf");
      EXPECT_EQ(gridsIn(text), writer.frames());
      EXPECT_TRUE(text.ends_with("</Xdmf>\n"));
    }
  }
  H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 10);
  XdmfWriter xdmf(directory / "t.xmf");
  xdmf.update(writer);
  EXPECT_EQ(gridsIn(readFile(directory / "t.xmf")), 2U);
  EXPECT_THAT(readFile(directory / "t.xmf"), testing::Not(HasSubstr("step 20")));
}

TEST(IoTrajectory, ConvertsToDumpAndXyz) {
  const TemporaryDirectory directory;
  Snapshot snapshot;
  snapshot.step = 4;
  snapshot.time = 0.5;
  snapshot.box = {2.0, 3.0, 4.0};
  snapshot.periodic = {true, true, false};
  snapshot.tag = {0, 1};
  snapshot.species = {0, 1};
  snapshot.position = {0.1, 0.2, 0.3, 1.0, 1.5, 2.0};
  snapshot.image = {0, 0, 0, 1, -1, 0};
  snapshot.velocity = {1, 2, 3, -0.25, 0, 1e-5};
  H5mdWriter(directory / "t.h5", metadata, {image, velocity, species}, StoredPrecision::single).append(snapshot);
  EXPECT_EQ(convertTrajectory(directory / "t.h5", directory / "t.dump", "lammps-dump"), 1U);
  EXPECT_EQ(readFile(directory / "t.dump"), "ITEM: TIMESTEP\n4\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n"
                                            "0 2\n0 3\n0 4\nITEM: ATOMS id type x y z ix iy iz vx vy vz\n"
                                            "1 1 0.1 0.2 0.3 0 0 0 1 2 3\n2 2 1 1.5 2 1 -1 0 -0.25 0 1e-05\n");
  convertTrajectory(directory / "t.h5", directory / "t.xyz", "xyz", {0, -1, 1, true});
  EXPECT_EQ(readFile(directory / "t.xyz"),
            "2\nLattice=\"2 0 0 0 3 0 0 0 4\" Properties=species:S:1:pos:R:3:velo:R:3 Time=0.5 Step=4 pbc=\"T T F\"\n"
            "water 0.1 0.2 0.3 1 2 3\noil 3 -1.5 2 -0.25 0 1e-05\n");
}

TEST(IoTrajectory, ConvertChoosesFrames) {
  const TemporaryDirectory directory;
  H5mdWriter writer(directory / "t.h5", metadata, {position}, StoredPrecision::double_);
  for (std::int64_t step = 0; step < 10; ++step) writer.append(sampleSnapshot(2, step));
  EXPECT_EQ(convertTrajectory(directory / "t.h5", directory / "a", "xyz", {1, -2, 3, false}), 3U);  // 1, 4, 7
  EXPECT_THROW(convertTrajectory(directory / "t.h5", directory / "b", "xyz", {10, -1, 1, false}), InputError);
  EXPECT_THROW(convertTrajectory(directory / "t.h5", directory / "b", "xyz", {0, -1, 0, false}), InputError);
  EXPECT_THROW(convertTrajectory(directory / "t.h5", directory / "b", "xyz", {0, -1, 1, true}), InputError);
  EXPECT_THROW(convertTrajectory(directory / "t.h5", directory / "b", "pdb"), InputError);
  EXPECT_THROW(convertTrajectory(directory / "none", directory / "b", "xyz"), InputError);
  EXPECT_FALSE(std::filesystem::exists(directory / "b"));
  EXPECT_FALSE(std::filesystem::exists(directory / "b.tmp"));
}

}  // namespace
}  // namespace mesowarp::io
