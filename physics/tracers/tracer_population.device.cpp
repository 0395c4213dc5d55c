#include "physics/tracers/tracer_population.hpp"

#include <cmath>
#include <fmt/format.h>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "device/tag_random.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "physics/tracers/deck/tracer_blocks.hpp"
#include "start/host_particles.hpp"
#include "state/state_hash.hpp"

namespace mesowarp::tracers {
namespace {

// What is hashed of a tracer.
struct HashedTracer {
  Vec3<u64> position, start;
  Vec3<i64> image;
};

template <class T>
void fill(Field<T>& field, const std::vector<T>& values) {
  field.fromHost(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

const input::Population& tracersOf(const input::Deck& deck) {
  return *input::populationsOf(deck, tracerBlocks()).front();
}

i64 firstTracer(int rank, const comm::Communicator* ranks, i64 total) {
  return comm::firstOfBlock(rank, ranks ? ranks->size() : 1, total);
}

TracerPopulation::TracerPopulation(const input::Deck& deck, const comm::Communicator* ranks)
    : Population(tracerBlocks().population(), ranks), name_(tracersOf(deck).name), box_(boxOf(deck)),
      timestep_(deck.run.timestep), total_(input::particleCount(tracersOf(deck), deck.box)) {
  const int rank = ranks ? ranks->rank() : 0;
  first_ = firstTracer(rank, ranks, total_);
  count_ = static_cast<int>(firstTracer(rank + 1, ranks, total_) - first_);
  const auto rows = static_cast<std::size_t>(count_);
  tag_ = fields_.add<u32>("tag", checkpointed, rows);
  position_ = fields_.add<Vec3<u64>>("position", checkpointed, rows);
  start_ = fields_.add<Vec3<u64>>("start", checkpointed, rows);
  image_ = fields_.add<Vec3<i32>>("image", checkpointed, rows);
}

void TracerPopulation::start(u64 seed) {
  const StepKey key = stepKey(seed, Stream::tracerStart, 0);
  std::vector<u32> tag(static_cast<std::size_t>(count_));
  std::vector<Vec3<u64>> position(tag.size());
  hostLoop("tracers, start", 0, count_, [&](i64 i) {
    tag[i] = static_cast<u32>(first_ + i);
    TagRandom random(key, tag[i]);
    for (int axis = 0; axis < 3; ++axis) position[i][axis] = toFixed(box_, axis, random.uniform() * box_.size[axis]);
  });
  fill(*tag_, tag), fill(*position_, position), fill(*start_, position);
}

bool TracerPopulation::has(io::TrajectoryField field) const {
  using enum io::TrajectoryField;
  return field == position || field == image || field == species || field == id;
}

io::Snapshot TracerPopulation::snapshot(i64 step) const {
  const auto tag = hostCopy(tag_->current);
  const auto position = hostCopy(position_->current);
  const auto image = hostCopy(image_->current);
  const auto n = static_cast<std::size_t>(count_);
  io::Snapshot s;
  s.step = step, s.time = static_cast<double>(step) * timestep_;
  s.box = box_.size, s.periodic = box_.periodic;
  s.first = first_, s.total = total_;
  s.tag.resize(n), s.species.assign(n, 0), s.position.resize(3 * n), s.image.resize(3 * n);
  hostLoop("snapshot of tracers", 0, count_, [&](i64 i) {
    s.tag[i] = tag(i);
    for (int axis = 0; axis < 3; ++axis) {
      const double x = toLength(box_, axis, position(i)[axis]), size = box_.size[axis];
      s.position[3 * i + axis] = x < size ? x : std::nextafter(size, 0.0);
      s.image[3 * i + axis] = image(i)[axis];
    }
  });
  return s;
}

void TracerPopulation::addProfile(const BinShape&, const BinWish&, BinTotals&) {
  throw RunError("there are no profiles of tracers");
}

std::string TracerPopulation::stateHash() const {
  const auto tag = hostCopy(tag_->current);
  const auto position = hostCopy(position_->current), start = hostCopy(start_->current);
  const auto image = hostCopy(image_->current);
  std::vector<HashedTracer> rows(static_cast<std::size_t>(count_));
  hostLoop("hashed tracers", 0, count_, [&](i64 i) {
    rows[i] = {position(i), start(i), {image(i).x, image(i).y, image(i).z}};
  });
  StateHash hash;
  if (!ranks()) {
    hash.add(reinterpret_cast<const std::byte*>(rows.data()), sizeof(HashedTracer), count_, 0);
    return hash.text();
  }
  const comm::TagBlocks blocks(*ranks(), total_, tag.data(), count_, StateHash::block);
  std::vector<std::byte> block(static_cast<std::size_t>(blocks.count()) * sizeof(HashedTracer));
  blocks.gather(rows.data(), sizeof(HashedTracer), block.data());
  hash.add(block.data(), sizeof(HashedTracer), blocks.count(), blocks.first());
  hash.addOthers(*ranks());
  return hash.text();
}

std::vector<io::ArrayView> TracerPopulation::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  std::vector<io::ArrayView> views;
  const auto rows = static_cast<std::size_t>(count_);
  for (const auto& field : fields_.all()) {
    storage.push_back(field->toHost(rows));
    views.push_back(
        {field->name(), io::ElementType::u8, rows, field->rowBytes(), storage.back().data(), io::Spread::distributed});
  }
  return views;
}

// This rank's rows, before they are taken over.
void TracerPopulation::checkRows(const io::CheckpointContent& content) const {
  for (const auto& field : fields_.all())
    storedArray(content, field->name(), io::ElementType::u8, static_cast<std::size_t>(count_), field->rowBytes());
  for (const char* name : {"position", "start"}) {
    const auto x = storedRows<Vec3<u64>>(content, name, count_);
    const i64 bad = hostFirst("check tracers", count_, [&](i64 i) {
      bool behind = false;
      for (int axis = 0; axis < 3; ++axis) behind = behind || (!box_.periodic[axis] && isBehindWall(x(i)[axis]));
      return behind;
    });
    if (bad < count_)
      throw InputError(fmt::format("the checkpoint's tracer {} is behind a wall{}", first_ + bad, damagedAdvice));
  }
}

void TracerPopulation::restore(const io::CheckpointContent& content, KeepList) {
  const auto check = [&] { checkRows(content); };
  ranks() ? ranks()->onAll(check) : check();
  for (const auto& field : fields_.all()) {
    const io::Array& array = content.arrays.at(field->name());
    field->fromHost(array.data.data(), array.data.size());
  }
}

}  // namespace mesowarp::tracers
