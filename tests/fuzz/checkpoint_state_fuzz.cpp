// Checkpoints whose content is damaged but whose hash is right, as of memory that lost a bit or of somebody's hand:
// each is refused, or runs to its end, or stops with a message; nothing crashes. The mutations are the same in every
// run.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "physics/resume.hpp"
#include "run/deck_difference.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp {
namespace {

using testing::HasSubstr;

constexpr i64 step = 6, last = 11;

const std::string chains = R"(
[run]
steps = 11
timestep = 0.01
precision = "PRECISION"
[box]
size = [5.0, 4.0, 4.0]
periodic = [true, true, false]
[[boundary]]
face = "z"
style = "bounce-back"
[[population]]
name = "water"
species = "W"
count = 80
[[population]]
name = "chains"
kind = "polymer"
blocks = "AABA"
count = 12
[[population]]
name = "rods"
kind = "polymer"
blocks = "BBB"
count = 8
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 60.0
r0 = 0.4
exclude = true
[[bond]]
population = "rods"
style = "fene"
k = 30.0
r_max = 3.0
)";
const std::string cluster = R"(
[run]
steps = 11
timestep = 0.03125
seed = 5
[integrator]
style = "hermite-block"
levels = 10
[[population]]
name = "stars"
kind = "bodies"
species = "S"
count = 40
initial = "plummer"
total_mass = 1.0
[[interaction]]
between = ["S", "S"]
style = "gravity"
softening = 0.05
)";

input::Deck parsed(const std::string& text) {
  auto result = input::parseDeckText(text, "deck.toml");
  for (const auto& d : result.diagnostics) EXPECT_TRUE(d.warning) << d.message;
  return std::move(result.deck);
}

std::string withPrecision(std::string text, const std::string& precision) {
  return text.replace(text.find("PRECISION"), 9, precision);
}

struct Deed {
  enum End { refused, stopped, finished } end;
  std::string message;
};

class ForgedCheckpoint : public testing::Test {
protected:
  // The state of a deck at `step`, as a file gives it back.
  io::CheckpointContent sample(const input::Deck& deck) {
    const auto engine = engineOfDeck(deck);
    for (i64 k = 0; k < step; ++k) engine->rebuildIfDue(k), engine->advance(k, {});
    engine->rebuildIfDue(step);
    std::vector<std::vector<std::byte>> storage;
    const auto views = engine->checkpointArrays(storage);
    return io::readCheckpoint(
        io::writeCheckpoint(directory_.path(), step, views, {{"deck", deck.resolved}}, {{"step", step}, {"ranks", 1}}));
  }

  // What becomes of a run that resumes it, and of one that starts from it.
  Deed resume(const io::CheckpointContent& content, const input::Deck& deck) {
    std::vector<io::ArrayView> views;
    for (const auto& [name, array] : content.arrays)
      views.push_back({name, array.type, array.rows, array.width, array.data.data(), array.spread});
    const std::string path = io::writeCheckpoint(directory_.path(), 0, views, content.texts, content.numbers);
    try {
      const auto parsed = input::parseDeckText(content.texts.count("deck") ? content.texts.at("deck") : "", path);
      if (parsed.deck.populations.size() > 0 && ++starts_ % 4 == 0) try {
          stateOfCheckpoint(path, *input::methodsOf(parsed.deck).front());
        } catch (const InputError&) {
        }
      const io::CheckpointContent read = io::readCheckpoint(path);
      refuseOtherSystem(read, deck, path);
      const auto engine = engineOfCheckpoint(read, deck, path);
      const i64 from = read.numbers.at("step");
      if (from >= last) return {Deed::refused, "nothing left to do"};
      for (i64 k = from; k <= last; ++k) {
        if (k > from) engine->rebuildIfDue(k);
        engine->advance(k, {.thermo = true, .velocities = true, .snapshot = k == last});
        if (const auto failure = engine->failure()) return {Deed::stopped, *failure};
      }
      engine->snapshot(last);
      engine->stateHash();
    } catch (const InputError& error) {
      return {Deed::refused, error.what()};
    } catch (const RunError& error) {
      return {Deed::stopped, error.what()};
    }
    return {Deed::finished, ""};
  }

  template <class T>
  static T get(const io::CheckpointContent& content, const std::string& name, std::size_t k) {
    T value;
    std::memcpy(&value, content.arrays.at(name).data.data() + k * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  static void set(io::CheckpointContent& content, const std::string& name, std::size_t k, T value) {
    std::memcpy(content.arrays.at(name).data.data() + k * sizeof(T), &value, sizeof(T));
  }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  std::string damage(io::CheckpointContent& content);
  void expectNoCrash(const std::string& text, int rounds);

  io::test::TemporaryDirectory directory_;
  std::mt19937_64 random_{20261123};
  int starts_ = 0;
};

// One mutation, in words.
std::string ForgedCheckpoint::damage(io::CheckpointContent& content) {
  auto at = content.arrays.begin();
  std::advance(at, below(content.arrays.size()));
  const std::string name = at->first;
  io::Array& array = at->second;
  const std::size_t bytes = array.data.size(), row = array.rows > 0 ? bytes / array.rows : 1;
  const auto someRow = [&] { return array.data.data() + below(array.rows) * row; };
  if (bytes == 0) return name + " has nothing";
  switch (below(12)) {
  case 0:
  case 1:
    for (std::size_t k = 1 + below(8); k > 0; --k) array.data[below(bytes)] = static_cast<std::byte>(random_());
    return name + ": some bytes";
  case 2:
  case 3:
  case 4: {
    const u32 words[] = {0,           1,           0xFFFFFFFFu,
                         0x7FFFFFFFu, 0x80000000u, 0x7F800000u,
                         0x7FC00000u, 0xFF7FFFFFu, static_cast<u32>(array.rows),
                         1000000u};
    const u32 word = words[below(std::size(words))];
    if (bytes >= 4) std::memcpy(array.data.data() + below(bytes / 4) * 4, &word, 4);
    return name + ": an extreme word";
  }
  case 5: {
    const double values[] = {
        0.0,   -1.0, 1e300, -1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        1e-310};
    const double value = values[below(std::size(values))];
    if (bytes >= 8) std::memcpy(array.data.data() + below(bytes / 8) * 8, &value, 8);
    return name + ": an extreme double";
  }
  case 6:
    std::memmove(someRow(), someRow(), row);
    return name + ": a row twice";
  case 7:
    std::swap_ranges(array.data.begin(), array.data.begin() + static_cast<std::ptrdiff_t>(row),
                     array.data.end() - static_cast<std::ptrdiff_t>(row));
    return name + ": two rows swapped";
  case 8:
    content.arrays.erase(name);
    return name + " is missing";
  case 9:
    if (below(2) == 0)
      array.rows -= 1, array.data.resize(bytes - row);
    else
      array.rows += 1, array.data.resize(bytes + row, std::byte{1});
    return name + ": another number of rows";
  case 10:
    if (array.width % 2 == 0)
      array.width /= 2, array.rows *= 2;
    else
      array.rows = 1, array.width = bytes / io::elementSize(array.type);
    return name + ": another shape";
  default: {
    const i64 values[] = {0, -1, 7, 1 << 20, std::numeric_limits<i64>::max(), std::numeric_limits<i64>::min()};
    const char* numbers[] = {"step", "ranks"};
    const char* number = numbers[below(2)];
    content.numbers[number] = values[below(std::size(values))];
    if (below(5) == 0) content.numbers.erase(number);
    return std::string("number ") + number;
  }
  }
}

void ForgedCheckpoint::expectNoCrash(const std::string& text, int rounds) {
  const input::Deck deck = parsed(text);
  const io::CheckpointContent intact = sample(deck);
  ASSERT_EQ(resume(intact, deck).end, Deed::finished);
  std::array<int, 3> ends{};
  for (int round = 0; round < rounds; ++round) {
    io::CheckpointContent content = intact;
    std::string what;
    for (std::size_t k = 1 + below(2); k > 0 && !content.arrays.empty(); --k) what += damage(content) + "; ";
    SCOPED_TRACE("round " + std::to_string(round) + ": " + what);
    const Deed deed = resume(content, deck);
    ++ends[deed.end];
    if (deed.end != Deed::finished) {
      EXPECT_FALSE(deed.message.empty());
    }
  }
  EXPECT_GT(ends[Deed::refused], rounds / 3);
  EXPECT_GT(ends[Deed::finished], 0);
}

TEST_F(ForgedCheckpoint, OfChainsInMixedPrecision) { expectNoCrash(withPrecision(chains, "mixed"), 150); }
TEST_F(ForgedCheckpoint, OfChainsInSinglePrecision) { expectNoCrash(withPrecision(chains, "single"), 60); }
TEST_F(ForgedCheckpoint, OfChainsInDoublePrecision) { expectNoCrash(withPrecision(chains, "double"), 60); }
TEST_F(ForgedCheckpoint, OfBodies) { expectNoCrash(cluster, 100); }

// What must be refused, and the words.
TEST_F(ForgedCheckpoint, IsRefusedInClearWords) {
  using Content = io::CheckpointContent;
  const input::Deck deck = parsed(withPrecision(chains, "mixed"));
  const Content intact = sample(deck);
  const auto rows = intact.arrays.at("tag").rows, width = intact.arrays.at("bond_partner").width / sizeof(u32);
  std::size_t bonded = 0;  // a slot with a bond
  while (get<u32>(intact, "bond_partner", bonded) == 0xFFFFFFFFu) ++bonded;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto expect = [&](const std::string& words, const std::function<void(Content&)>& forge) {
    Content content = intact;
    forge(content);
    const Deed deed = resume(content, deck);
    EXPECT_EQ(deed.end, Deed::refused) << words;
    EXPECT_THAT(deed.message, HasSubstr(words));
  };
  expect("tags are not 0, 1, 2, … each once", [&](Content& c) { set(c, "tag", 3, get<u32>(c, "tag", 4)); });
  expect("tags are not 0, 1, 2, … each once", [&](Content& c) { set(c, "tag", 3, static_cast<u32>(rows)); });
  expect("has a bond of particle", [&](Content& c) { set(c, "bond_partner", bonded, static_cast<u32>(rows)); });
  expect("has a bond of particle",
         [&](Content& c) { set(c, "bond_partner", bonded, get<u32>(c, "tag", bonded / width)); });
  expect("of type 3; there are 152 particles and 2 [[bond]] blocks",
         [&](Content& c) { set(c, "bond_type", bonded, i32{2}); });
  expect("of type 0;", [&](Content& c) { set(c, "bond_type", bonded, i32{-1}); });
  expect("only one of their two particles knows",
         [&](Content& c) { set(c, "bond_type", bonded, 1 - get<i32>(c, "bond_type", bonded)); });
  expect("only one of their two particles knows", [&](Content& c) { set(c, "bond_partner", bonded, 0xFFFFFFFFu); });
  expect("has a velocity that is no number", [&](Content& c) { set(c, "velocity", 8, nan); });
  expect("has a velocity that is no number", [&](Content& c) { set(c, "velocity_low", 8, nan); });
  expect("is of none of the 3 species", [&](Content& c) { set(c, "velocity", 4 * 7 + 3, u32{3}); });
  expect("is behind a wall", [&](Content& c) { set(c, "position", 4 * 7 + 2, 0x80000000u); });
  expect("is behind a wall", [&](Content& c) { set(c, "position_at_build", 3 * 7 + 2, 0x80000000u); });
  expect("cannot be of step 6", [&](Content& c) { set(c, "engine_counters", 0, i64{7}); });
  expect("cannot be of step 6", [&](Content& c) { set(c, "engine_counters", 3, i64{2}); });
  const auto profile = [](Content& c, std::vector<double> values, io::ElementType type = io::ElementType::f64) {
    io::Array& sums = c.arrays["profile_p"] = {type, values.size() * 8 / io::elementSize(type), 1,
                                               std::vector<std::byte>(8 * values.size())};
    std::memcpy(sums.data.data(), values.data(), sums.data.size());
  };
  expect("'profile_p' cannot be the sums", [&](Content& c) { profile(c, {0, 7, 1, 0, 0, 0}); });
  expect("'profile_p' cannot be the sums", [&](Content& c) {
    profile(c, {0, 6, 1, std::numeric_limits<double>::infinity(), 0, 0});
  });
  expect("'profile_p' has another size", [&](Content& c) { profile(c, {0, 6, 1, 0, 0, 0}, io::ElementType::i64); });
  expect("'profile_p' is too short", [&](Content& c) { profile(c, {0, 6}); });
  expect("is at step -1", [&](Content& c) { c.numbers["step"] = -1; });
  expect("has no step", [&](Content& c) { c.numbers.erase("step"); });
  expect("ranks have 151 particles together", [&](Content& c) { set(c, "rank_rows", 0, i64{151}); });
  expect("'rank_rows' has another size", [&](Content& c) { c.numbers["ranks"] = 2; });
  expect("has no array 'velocity_low'", [&](Content& c) { c.arrays.erase("velocity_low"); });
  expect("has types of bonds, but no bonds", [&](Content& c) { c.arrays.erase("bond_partner"); });
  expect("has 151 particles, and this deck makes 152", [&](Content& c) {
    for (const char* name : {"tag", "position", "position_low", "velocity", "velocity_low", "image",
                             "position_at_build", "bond_partner", "bond_type"}) {
      io::Array& array = c.arrays.at(name);
      array.data.resize(array.data.size() / array.rows * 151), array.rows = 151;
    }
    set(c, "rank_rows", 0, i64{151});
  });
  expect("the deck inside cannot be read", [&](Content& c) { c.texts["deck"] = "nonsense"; });
  expect("it has no deck", [&](Content& c) { c.texts.erase("deck"); });
  expect("another number of [[bond]] blocks", [&](Content& c) {
    auto& text = c.texts["deck"];
    text.resize(text.rfind("[[bond]]"));
  });
  expect("other kinds of populations", [&](Content& c) { c.texts["deck"] = parsed(cluster).resolved; });
}

TEST_F(ForgedCheckpoint, OfBodiesIsRefusedInClearWords) {
  using Content = io::CheckpointContent;
  const input::Deck deck = parsed(cluster);
  const Content intact = sample(deck);
  const auto expect = [&](const std::string& words, const std::function<void(Content&)>& forge) {
    Content content = intact;
    forge(content);
    const Deed deed = resume(content, deck);
    EXPECT_EQ(deed.end, Deed::refused) << words;
    EXPECT_THAT(deed.message, HasSubstr(words));
  };
  const auto exclude = [](Content& c, u32 a, u32 b) {
    io::Array& pairs = c.arrays["exclusions"] = {io::ElementType::u8, 1, 8, std::vector<std::byte>(8)};
    std::memcpy(pairs.data.data(), &a, 4), std::memcpy(pairs.data.data() + 4, &b, 4);
  };
  expect("tags are not 0, 1, 2", [&](Content& c) { set(c, "tag", 3, u32{4}); });
  expect("body 3 is not where its tag belongs",
         [&](Content& c) { set(c, "tag", 3, u32{4}), set(c, "tag", 4, u32{3}); });
  expect("body 5 has a mass or charge", [&](Content& c) { set(c, "mass", 5, -1.0); });
  expect("body 5 has a mass or charge",
         [&](Content& c) { set(c, "charge", 5, std::numeric_limits<double>::infinity()); });
  expect("body 2 has a position that is no number",
         [&](Content& c) { set(c, "position", 7, std::numeric_limits<double>::quiet_NaN()); });
  expect("body 2 has a jerk that is no number",
         [&](Content& c) { set(c, "jerk", 7, std::numeric_limits<double>::quiet_NaN()); });
  expect("body 9 is of none of the 1 species", [&](Content& c) { set(c, "type", 9, u32{1}); });
  expect("body 9 has a time step", [&](Content& c) { set(c, "ticks", 9, i64{0}); });
  expect("body 9 has a time step", [&](Content& c) { set(c, "ticks", 9, i64{3}); });
  expect("body 9 has a time step", [&](Content& c) { set(c, "ticks", 9, i64{2048}); });
  expect("excludes the pair 3, 40 of 40 bodies", [&](Content& c) { exclude(c, 3, 40); });
  expect("excludes the pair 3, 3", [&](Content& c) { exclude(c, 3, 3); });
  expect("range of sums", [&](Content& c) { set(c, "body_sums", 0, -1.0); });
}

}  // namespace
}  // namespace mesowarp
