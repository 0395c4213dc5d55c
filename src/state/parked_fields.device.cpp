#include "state/parked_fields.hpp"

#include <cstring>

#include "device/config.hpp"
#include "device/host_copy.hpp"

namespace mesowarp {
namespace {

struct CountUp {
  DeviceArray<u32> place;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { place(i) = static_cast<u32>(i); }
};

// Of 8 width bytes a particle each is read and stored once. On a GPU a thread does a word, so that neighbours store
// side by side; on a CPU a particle.
struct SettleRows {
  static constexpr bool byWords = backend::onGpu;
  const u32* place;
  const u64* from;
  u64* to;
  int width;
  KOKKOS_INLINE_FUNCTION void operator()(i64 k) const {
    const i64 i = byWords ? k / width : k;
    const u64* const row = from + static_cast<i64>(place[i]) * width;
    if (byWords)
      to[k] = row[k - i * width];
    else
      for (int w = 0; w < width; ++w) to[i * width + w] = row[w];
  }
};

}  // namespace

ParkedField::ParkedField(const std::string& name, unsigned traits, std::size_t rows, std::size_t words,
                         ParkedFields& owner)
    : FieldBase(name, traits, words), current_(zeroedArray<u64>(name, rows * words)), owner_(&owner) {}

void ParkedField::settle(const u32* place, int particles) {
  if (other_.extent(0) != current_.extent(0))
    other_ = DeviceArray<u64>(), other_ = zeroedArray<u64>(name() + " (other)", current_.extent(0));
  const i64 all = static_cast<i64>(particles) * (SettleRows::byWords ? static_cast<i64>(width()) : 1);
  Kokkos::parallel_for("settle " + name(), Kokkos::RangePolicy<Execution, Kokkos::IndexType<i64>>(0, all),
                       SettleRows{place, current_.data(), other_.data(), static_cast<int>(width())});
  std::swap(current_, other_);
}

void ParkedField::grow(std::size_t particles) {
  other_ = DeviceArray<u64>();
  const auto larger = zeroedArray<u64>(name(), particles * width());
  copyOnDevice(larger.data(), current_.data(), current_.extent(0) * sizeof(u64));
  current_ = larger;
}

std::shared_ptr<const void> ParkedField::keeper() const { return std::make_shared<DeviceArray<u64>>(current_); }

std::vector<std::byte> ParkedField::toHost(std::size_t particles, bool) const {
  const auto rows = hostCopy(current_);
  std::vector<u32> place(particles);
  copyToHost(place.data(), owner_->places(), particles * sizeof(u32));
  std::vector<std::byte> bytes(particles * rowBytes());
  for (std::size_t i = 0; i < particles; ++i)
    std::memcpy(&bytes[i * rowBytes()], rows.data() + place[i] * width(), rowBytes());
  return bytes;
}

void ParkedField::fromHost(const std::byte* data, std::size_t bytes) {
  copyToDevice(current_.data(), data, bytes);
  owner_->settled(static_cast<int>(bytes / rowBytes()));
}

// On a GPU a second buffer of 4 bytes a particle spares a reordering its second pass.
ParkedFields::ParkedFields(FieldRegistry& fields, int particles, int capacity)
    : fields_(fields),
      place_(fields.add<u32>("parked_at", moves, static_cast<std::size_t>(capacity), 1, backend::onGpu)) {
  settled(particles);
}

void ParkedFields::add(const std::string& name, int words) {
  all_.push_back(std::make_shared<ParkedField>(name, parked | checkpointed | mayLack, place_->current.extent(0),
                                               static_cast<std::size_t>(words), *this));
  fields_.adopt(all_.back());
}

u64* ParkedFields::words(const std::string& name) const {
  for (const auto& field : all_)
    if (field->name() == name) return field->words();
  return nullptr;
}

void ParkedFields::settle(int particles) {
  for (const auto& field : all_) field->settle(places(), particles);
  settled(particles);
}

void ParkedFields::settled(int particles) {
  Kokkos::parallel_for("places of parked rows", Range(0, particles), CountUp{place_->current});
  next_ = particles;
}

ParkedRows ParkedFields::rows() const { return {fields_.rows(parked), place_->current.data(), next_}; }

bool ParkedFields::hasRoom(int arrivals) const {
  return next_ + arrivals <= static_cast<int>(place_->current.extent(0));
}

}  // namespace mesowarp
