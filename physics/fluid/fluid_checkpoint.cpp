#include "physics/fluid/fluid_checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "io/h5md/initial_snapshot.hpp"
#include "io/ranks.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/resume.hpp"
#include "physics/topology/term_checkpoint.hpp"
#include "state/particles.hpp"

namespace mesowarp::fluid {
namespace {

// Bits of a number spread over a word (the finalizer of SplitMix64).
u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

const io::Array* arrayOf(const io::CheckpointContent& content, const std::string& name) {
  const auto it = content.arrays.find(name);
  return it == content.arrays.end() ? nullptr : &it->second;
}

// A field's elements, which a checkpoint stores as bytes.
template <class T>
std::vector<T> elementsOf(const io::Array& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  std::memcpy(values.data(), array.data.data(), values.size() * sizeof(T));
  return values;
}

// The snapshot's bonds have lost their types; the fields have them. Each bond stands in the rows of both its particles.
std::vector<std::int32_t> bondTypesOf(const io::CheckpointContent& content, const std::vector<u32>& bonds) {
  std::vector<std::int32_t> types;
  if (bonds.empty()) return types;
  const auto tag = elementsOf<u32>(*arrayOf(content, "tag"));
  const auto partner = elementsOf<u32>(*arrayOf(content, "bond_partner"));
  const auto type = elementsOf<i32>(*arrayOf(content, "bond_type"));
  const std::size_t width = partner.size() / tag.size();
  std::map<std::pair<u32, u32>, i32> typeOf;
  for (std::size_t slot = 0; slot < partner.size(); ++slot)
    if (partner[slot] != noBond) typeOf[{tag[slot / width], partner[slot]}] = type[slot];
  for (std::size_t b = 0; b + 1 < bonds.size(); b += 2) types.push_back(typeOf.at({bonds[b], bonds[b + 1]}) + 1);
  return types;
}

class Check {
public:
  Check(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks)
      : content_(content), deck_(deck), rows_(content, deck, fluidBlocks(), ranks) {}

  void all() {
    io::onAll(rows_.ranks(), [&] {  // of all ranks the same, but for the rows
      rows_.checkShapes();
      counters();
      partners();
    });
    rows_.checkTags();
    if (width_ > 0) bonds();  // collective: also where a rank has no rows
    checkTerms<3>(content_, rows_, "angle", deck_.angles.size());
    checkTerms<4>(content_, rows_, "dihedral", deck_.dihedrals.size());
  }

private:
  void counters() const {
    const StoredRows<i64> value{storedArray(content_, "engine_counters", io::ElementType::i64, 4, 1).data.data()};
    const i64 step = content_.numbers.at("step"), lastRebuild = value(0), rebuilds = value(1), dangerous = value(2),
              moved = value(3);
    if (lastRebuild < 0 || lastRebuild > step || rebuilds < 0 || dangerous < 0 ||
        dangerous > std::numeric_limits<int>::max() || moved < 0 || moved > 1)
      refuseDamaged(fmt::format(
          "the checkpoint's counters (last rebuild {}, rebuilds {}, dangerous {}, moved {}) cannot be of step {}",
          lastRebuild, rebuilds, dangerous, moved, step));
  }

  void partners() {
    const auto it = content_.arrays.find("bond_partner");
    if (it == content_.arrays.end()) {
      if (content_.arrays.count("bond_type")) refuseDamaged("the checkpoint has types of bonds, but no bonds");
      return;
    }
    if (deck_.bonds.empty())
      throw InputError("the checkpoint has bonds, and this deck has no [[bond]] block: it is of another deck");
    const std::size_t bytes = it->second.width;
    if (bytes == 0 || bytes % sizeof(u32) != 0)
      refuseDamaged("the checkpoint's 'bond_partner' has rows of no whole bonds");
    width_ = static_cast<i64>(bytes / sizeof(u32));
    const auto rows = static_cast<std::size_t>(rows_.count());
    partner_ = storedArray(content_, "bond_partner", io::ElementType::u8, rows, bytes).data.data();
    type_ = {storedArray(content_, "bond_type", io::ElementType::u8, rows, bytes).data.data()};
  }

  // A bond adds a number made of its ends and type in the row of its lower tag, and takes it off in the other's: all
  // together give 0 only if both rows have it (but for one chance in 2^64), wherever the rows are.
  void bonds() const {
    const StoredRows<u32> partner{partner_};
    const auto blocks = static_cast<i32>(deck_.bonds.size());
    io::onAll(rows_.ranks(), [&] {
      const i64 bad = hostFirst("check bonds", rows_.count() * width_, [&](i64 slot) {
        const u32 other = partner(slot);
        return other != noBond &&
               (other >= rows_.all() || other == rows_.tag(slot / width_) || type_(slot) < 0 || type_(slot) >= blocks);
      });
      if (bad < rows_.count() * width_)
        refuseDamaged(fmt::format(
            "the checkpoint has a bond of particle {} with {}, of type {}; there are {} particles and "
            "{} [[bond]] block{}",
            rows_.tag(bad / width_), partner(bad), i64{type_(bad)} + 1, rows_.all(), blocks, blocks == 1 ? "" : "s"));
    });
    const auto sum = hostSum<u64>("match bonds", 0, rows_.count() * width_, [&](i64 slot, u64& total) {
      const u32 other = partner(slot), self = rows_.tag(slot / width_);
      if (other == noBond) return;
      const u64 ends = u64{std::min(self, other)} << 32 | std::max(self, other);
      const u64 number = mixed(mixed(ends) + static_cast<u64>(type_(slot)));
      total += self < other ? number : u64{0} - number;
    });
    if ((rows_.ranks() ? rows_.ranks()->sumModulo(sum) : sum) != 0)
      refuseDamaged("the checkpoint has bonds that only one of their two particles knows of");
  }

  const io::CheckpointContent& content_;
  const input::Deck& deck_;
  CheckpointRows rows_;
  i64 width_ = 0;  // bonds a particle; 0: there are none
  StoredRows<i32> type_;
  const std::byte* partner_ = nullptr;  // null as well where there are no rows
};

}  // namespace

void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks) {
  Check(content, deck, ranks).all();
}

TermSlots slotsOf(const io::CheckpointContent& content) {
  const auto width = [&](const char* name) {
    const io::Array* array = arrayOf(content, name);
    return array ? static_cast<int>(array->width / sizeof(u32)) : 0;
  };
  TermSlots slots(width("bond_partner"));
  slots.angles = width("angle_type"), slots.dihedrals = width("dihedral_type");
  slots.molecules = arrayOf(content, "molecule") != nullptr;
  return slots;
}

io::FileState readState(const std::string& path) {
  const CheckpointState state = stateOfCheckpoint(path, fluidBlocks());
  io::FileState all =
      io::initialStateOf(state.snapshot, state.deck.species, bondTypesOf(state.content, state.snapshot.bonds));
  all.angles = termsOf<3>(state.content, "angle");
  all.dihedrals = termsOf<4>(state.content, "dihedral");
  return all;
}

}  // namespace mesowarp::fluid
