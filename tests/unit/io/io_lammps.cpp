#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/lammps/initial_file.hpp"
#include "io/lammps/lammps_data.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

using test::messageOf;
using test::TemporaryDirectory;
using test::writeFile;
using testing::HasSubstr;

const std::string header = "a title with 7 atoms in it\r\n\n3 atoms\n2 bonds  # comment\n2 atom types\n1 bond types\n\n"
                           "-5 5 xlo xhi\n0 10.0 ylo yhi\n0 2e1 zlo zhi\n0 0 0 xy xz yz\n";
const std::string molecular =
    header + "\nMasses\n\n1 1.0\n2 2.5\n\nPair Coeffs # dpd\n\n1 25 4.5\n2 25 4.5\n\n"
             "Atoms # molecular\n\n30 1 2 5.5 1 2 1 0 0\n10 1 1 -5 0 0 0 0 0\n20 1 1 0 -1 +19 0 0 -1\n\n"
             "Velocities\n\n10 1 2 3\n20 4 5 6\n30 7 8 9\n\nBonds\n\n1 1 10 20\n2 1 20 30\n";

FileState read(const std::string& text, const std::string& style = "") {
  const TemporaryDirectory directory;
  writeFile(directory / "data", text);
  return readLammpsData(directory / "data", style);
}

// The error without the directory: "data:line: message".
std::string errorOf(const std::string& text) {
  const std::string message = messageOf<InputError>([&] { read(text); });
  return message.substr(message.find("data:") == std::string::npos ? 0 : message.find("data:"));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(IoLammpsData, ReadsEverything) {
  const FileState state = read(molecular);
  EXPECT_EQ(state.box, (std::array<double, 3>{10, 10, 20}));
  EXPECT_EQ(state.type, (std::vector<std::int32_t>{1, 1, 2}));
  EXPECT_EQ(state.position, (std::vector<double>{0, 0, 0, 5, 9, 19, 0.5, 1, 2}));
  EXPECT_EQ(state.image, (std::vector<std::int32_t>{0, 0, 0, 0, -1, -1, 2, 0, 0}));
  EXPECT_TRUE(state.imagesGiven);
  EXPECT_EQ(state.velocity, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(state.massOfType, (std::vector<double>{1.0, 2.5}));
  ASSERT_EQ(state.bonds.size(), 2U);
  EXPECT_EQ(state.bonds[1].type, 1);
  EXPECT_EQ(state.bonds[1].a, 1);
  EXPECT_EQ(state.bonds[1].b, 2);
}

TEST(IoLammpsData, WrapsAlongPeriodicAxesOnly) {
  const std::string start = "t\n2 atoms\n1 atom types\n-1 9 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtoms\n\n";
  const auto read = [&](const std::string& text, bool z) {
    const TemporaryDirectory directory;
    writeFile(directory / "data", text);
    return readLammpsData(directory / "data", "", {true, true, z});
  };
  const std::string within = start + "1 1 11 5 10\n2 1 -2 5 0\n",
                    flagged = start + "1 1 1 5 9 1 0 2\n2 1 1 5 0 0 0 -1\n";
  const FileState state = read(within, false);
  EXPECT_FALSE(state.imagesGiven);
  EXPECT_EQ(state.image, (std::vector<std::int32_t>{1, 0, 0, -1, 0, 0}));
  EXPECT_EQ(state.position, (std::vector<double>{2, 5, std::nextafter(10.0, 0.0), 9, 5, 0}));
  EXPECT_EQ(read(within, true).image, (std::vector<std::int32_t>{1, 0, 1, -1, 0, 0}));
  EXPECT_EQ(read(flagged, false).image, (std::vector<std::int32_t>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(read(flagged, true).image, (std::vector<std::int32_t>{1, 0, 2, 0, 0, -1}));
  EXPECT_THAT(messageOf<InputError>([&] { read(start + "1 1 1 5 10.1\n2 1 1 5 0\n", false); }),
              HasSubstr("atom 1 (line 10) lies outside the box along z, where box.periodic is false"));
}

TEST(IoLammpsData, GuessesTheStyle) {
  const std::string start = "t\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms\n\n";
  const std::vector<double> expected{0.25, 0.5, 0.75};
  for (const char* line : {"1 1 .25 .5 .75", "1 1 .25 .5 .75 0 0 0", "1 7 1 .25 .5 .75", "1 7 1 .25 .5 .75 1 0 0",
                           "1 1 -0.5 .25 .5 .75", "1 7 1 0.0 .25 .5 .75", "1 7 1 0 .25 .5 .75 0 0 0"})
    EXPECT_EQ(read(start + line + "\n").position, expected) << line;
  EXPECT_EQ(read(start + "1 1 1 .25 .5 .75\n", "charge").position, expected);
  for (const char* style : {"dpd", "mdpd"})
    EXPECT_EQ(read(start + "1 1 6 .25 .5 .75\n", style).position, expected) << style;
  EXPECT_EQ(read(start + "1 1 1.0 1e5 .25 .5 .75 0 0 0\n", "edpd").position, expected);
  EXPECT_THAT(errorOf(start + "1 1 .25 .5\n"), HasSubstr("data:10: a line of Atoms with 4 columns"));
  EXPECT_THROW(read(start, "sphere"), InputError);
}

TEST(IoLammpsData, AnglesDihedralsAndMolecules) {
  const std::string start =
      "t\n4 atoms\n1 atom types\n2 angles\n2 angle types\n1 dihedrals\n3 dihedral types\n0 9 xlo xhi\n0 9 ylo yhi\n"
      "0 9 zlo zhi\n\nAtoms # angle\n\n10 7 1 1 1 1\n40 7 1 4 1 1\n30 0 1 3 1 1\n20 9 1 2 1 1\n";
  const std::string angles = "\nAngles\n\n1 2 10 20 30\n2 1 40 30 20\n", dihedrals = "\nDihedrals\n\n1 3 10 20 30 40\n";
  const FileState state = read(start + angles + dihedrals);
  EXPECT_EQ(state.molecule, (std::vector<std::int64_t>{7, 9, 0, 7}));
  ASSERT_EQ(state.angles.size(), 2U);
  EXPECT_EQ(state.angles[0].type, 2);
  EXPECT_EQ(state.angles[0].of, (std::array<std::int64_t, 3>{0, 1, 2}));
  EXPECT_EQ(state.angles[1].of, (std::array<std::int64_t, 3>{3, 2, 1}));
  ASSERT_EQ(state.dihedrals.size(), 1U);
  EXPECT_EQ(state.dihedrals[0].type, 3);
  EXPECT_EQ(state.dihedrals[0].of, (std::array<std::int64_t, 4>{0, 1, 2, 3}));
  const auto refuse = [&](const std::string& text, const std::string& message) {
    EXPECT_THAT(errorOf(text), HasSubstr(message)) << text;
  };
  refuse(start + angles, "1 announced, but there is no Dihedrals section");
  refuse(start + replaced(angles, "2 10 20 30", "3 10 20 30") + dihedrals, "angle type 3 is not in 1 to 2");
  refuse(start + replaced(angles, "10 20 30", "10 20 10") + dihedrals, "an angle names an atom twice");
  refuse(start + replaced(angles, "10 20 30", "10 20") + dihedrals, "a line of Angles should be: id type and 3 atoms");
  refuse(start + angles + replaced(dihedrals, "30 40", "30 50"), "there is no atom with id 50");
}

TEST(IoLammpsData, ErrorsNameTheLine) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& message) {
    EXPECT_THAT(errorOf(replaced(molecular, from, to)), HasSubstr(message)) << to;
  };
  expect("3 atoms", "x atoms", "data:3: the header does not give the number of atoms");
  expect("3 atoms", "-3 atoms", "data:3: number of atoms -3 is not in 0 to");
  expect("3 atoms", "4 atoms", "data:29: section Atoms ends after 3 of 4 lines");
  expect("3 atoms", "2 atoms", "data:27: section Atoms has more than the 2 lines announced");
  expect("3 atoms\n", "", "the number of atoms");
  expect("-5 5 xlo", "5 -5 xlo", "data:8: the upper box bound must be above");
  expect("-5 5 xlo", "-5 inf xlo", "data:8: upper box bound should be a number, not \"inf\"");
  expect("0 10.0 ylo yhi\n", "", "does not give all of");
  expect("0 0 0 xy", "0 0.1 0 xy", "data:11: tilted");
  expect("2 2.5", "2 -2.5", "data:16: a mass must be positive");
  expect("2 2.5", "1 2.5", "data:16: a second mass of type 1");
  expect("# molecular", "# sphere", "atom style \"sphere\" is not supported");
  expect("30 1 2 5.5", "30 1 3 5.5", "data:25: atom type 3 is not in 1 to 2");
  expect("30 1 2 5.5", "30 1 2 nan", "data:25: coordinate should be a number, not \"nan\"");
  expect("30 1 2 5.5", "30 1 2 1e300", "too far outside");
  expect("30 1 2 5.5", "20 1 2 5.5", "two atoms have id 20: lines 25 and 27");
  expect("30 1 2 5.5", "30 1 2", "data:25: a line of Atoms should have 6 columns, or 9");
  expect("30 1 2 5.5 1 2 1 0 0", "30 1 2 5.5 1 2",
         "data:26: this line of Atoms has three image flags, but those before it have none");
  expect("20 4 5 6", "40 4 5 6", "data:32: there is no atom with id 40");
  expect("20 4 5 6", "10 4 5 6", "data:32: a second velocity of atom 10");
  expect("20 4 5 6", "20 4 5", "data:32: a line of Velocities");
  expect("1 1 10 20", "1 2 10 20", "data:37: bond type 2");
  expect("1 1 10 20", "1 1 10 10", "data:37: a bond joins an atom to itself");
  expect("2 1 20 30\n", "", "section Bonds ends after 1 of 2 lines");
  expect("Bonds\n", "Impropers\n", "section Impropers has more than the 0 lines announced");
  expect("Bonds\n", "Ellipsoids\n", "section \"Ellipsoids\" is not supported");
  expect("Bonds\n", "Angles\n", "section Angles has more than the 0 lines announced");
  EXPECT_THAT(errorOf(header), HasSubstr("no Atoms section"));
  EXPECT_THAT(errorOf(""), HasSubstr("empty"));
  EXPECT_THAT(errorOf("t\n99999999999999999999 atoms\n"), HasSubstr("data:2: number of atoms"));
}

TEST(IoInitialFile, GoesByContent) {
  const TemporaryDirectory directory;
  writeFile(directory / "state.h5", molecular);
  EXPECT_EQ(readInitialFile(directory / "state.h5").bonds.size(), 2U);
  EXPECT_THAT(messageOf<InputError>([&] { readInitialFile(directory / "none"); }), HasSubstr("does not exist"));
  writeFile(directory / "broken", "\x89HDF\r\n\x1a\n" + std::string(100, 'x'));
  EXPECT_THROW(readInitialFile(directory / "broken"), InputError);
}

}  // namespace
}  // namespace mesowarp::io
