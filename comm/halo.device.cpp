#include "comm/halo.hpp"

namespace mesowarp::comm {
namespace {

using SharedInts = Kokkos::View<int*, backend::SharedSpace>;

struct CountBorder {
  DeviceArray<int> cells, start;
  SharedInts counts;
  Kokkos::View<int, backend::SharedSpace> own;
  int ownCells;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    counts(k) = start(cells(k) + 1) - start(cells(k));
    if (k == 0) own() = start(ownCells);
  }
};

// Of ghost cells, and of the empty one behind them.
struct StartGhostCells {
  SharedInts ghostStart;
  DeviceArray<int> start;
  int cells, ghostCells, particles;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    start(cells + k) = particles + ghostStart(k < ghostCells ? k : ghostCells);
  }
};

// The first border cell of each way, among those sent.
struct WayCells {
  int first[direction::count + 1];
};

// Which particles to send: those of border cell k, one thread for each cell.
struct ListBorder {
  DeviceArray<int> cells, start;
  SharedInts sendStart;
  DeviceArray<int> sendIndex;
  DeviceArray<unsigned char> sendWay;
  WayCells ways;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    int way = 0;
    while (ways.first[way + 1] <= k) ++way;
    const int first = start(cells(k)), at = sendStart(k), count = sendStart(k + 1) - at;
    for (int j = 0; j < count; ++j) sendIndex(at + j) = first + j, sendWay(at + j) = static_cast<unsigned char>(way);
  }
};

struct PackBorder {
  FieldRows rows;
  DeviceArray<int> sendIndex;
  DeviceArray<unsigned char> sendWay;
  BorderTargets targets;
  int first[direction::count];  // row of each way
  // A column of a row: neighbouring threads write side by side.
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const int k = n / rows.count, c = n - k * rows.count, way = sendWay(k);
    rows.store(c, sendIndex(k), targets.to[way][c] + static_cast<std::size_t>(k - first[way]) * targets.pitch[c]);
  }
};

struct UnpackGhosts {
  FieldRows rows;
  WaySources sources;
  int first[direction::count + 1];  // ghost of each way
  int firstGhost;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const int k = n / rows.count;
    int way = 0;
    while (first[way + 1] <= k) ++way;
    rows.unpack(n - k * rows.count,
                reinterpret_cast<const u32*>(sources.from[way]) + static_cast<std::size_t>(k - first[way]) * rows.words,
                firstGhost + k);
  }
};

// The same of ghosts that lie by other cells than those they come from.
struct UnpackInOrder {
  UnpackGhosts ghosts;
  DeviceArray<int> place;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const int k = n / ghosts.rows.count;
    int way = 0;
    while (ghosts.first[way + 1] <= k) ++way;
    ghosts.rows.unpack(n - k * ghosts.rows.count,
                       reinterpret_cast<const u32*>(ghosts.sources.from[way]) +
                           static_cast<std::size_t>(k - ghosts.first[way]) * ghosts.rows.words,
                       ghosts.firstGhost + place(k));
  }
};

void reserve(SharedInts& array, const char* label, int count) {
  if (static_cast<int>(array.extent(0)) != count)
    array = SharedInts(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), count);
}

int sumUpTo(const SharedInts& counts, const SharedInts& sums) {
  int sum = 0;
  const int n = static_cast<int>(counts.extent(0));
  for (int k = 0; k < n; ++k) sums(k) = sum, sum += counts(k);
  sums(n) = sum;
  return sum;
}

}  // namespace

Halo::Halo(const Communicator& ranks, const Domain& domain, std::unique_ptr<Transport> transport)
    : messages_(ranks, domain), transport_(std::move(transport)) {}

// counts_ of this rank to ghostCounts_ of the neighbours.
void Halo::exchangeCounts(const HaloCells& cells) {
  WayBytes send, receive;
  for (int way = 0; way <= direction::count; ++way) {
    send.first[way] = cells.firstSend(way) * sizeof(int);
    receive.first[way] = cells.firstGhost(way) * sizeof(int);
  }
  messages_.start(reinterpret_cast<const char*>(counts_.data()), send, reinterpret_cast<char*>(ghostCounts_.data()),
                  receive);
  messages_.finish();
}

void Halo::count(const CellGrid& grid) {
  const HaloCells& cells = grid.halo();
  reserve(counts_, "border counts", cells.sendCount());
  reserve(ghostCounts_, "ghost counts", cells.ghostCells());
  reserve(sendStart_, "border starts", cells.sendCount() + 1);
  reserve(ghostStart_, "ghost starts", cells.ghostCells() + 1);
  side_.afterMain();
  Kokkos::parallel_for("border counts", Range(side_.instance(), 0, cells.sendCount()),
                       CountBorder{cells.sendCells(), grid.start(), counts_, own_, grid.cells()});
}

int Halo::plan(const CellGrid& grid, int particles) {
  const HaloCells& cells = grid.halo();
  side_.wait();
  exchangeCounts(cells);
  sends_ = sumUpTo(counts_, sendStart_);
  ghosts_ = sumUpTo(ghostCounts_, ghostStart_);
  if (sends_ > static_cast<int>(sendIndex_.extent(0))) {
    sendIndex_ =
        DeviceArray<int>(Kokkos::view_alloc("border particles", Kokkos::WithoutInitializing), sends_ + sends_ / 8);
    sendWay_ =
        DeviceArray<unsigned char>(Kokkos::view_alloc("border ways", Kokkos::WithoutInitializing), sends_ + sends_ / 8);
  }
  arranged_ = false, plan_.particles = particles;
  startGhostCells(grid);
  WayCells ways;
  for (int way = 0; way <= direction::count; ++way) {
    ways.first[way] = cells.firstSend(way);
    plan_.firstSend[way] = sendStart_(cells.firstSend(way)), plan_.firstGhost[way] = ghostStart_(cells.firstGhost(way));
  }
  Kokkos::parallel_for("border particles", Range(side_.instance(), 0, cells.sendCount()),
                       ListBorder{cells.sendCells(), grid.start(), sendStart_, sendIndex_, sendWay_, ways});
  return ghosts_;
}

void Halo::startGhostCells(const CellGrid& grid) {
  const int ghostCells = grid.halo().ghostCells();
  Kokkos::parallel_for("ghost cells", Range(side_.instance(), 0, ghostCells + 2),
                       StartGhostCells{ghostStart_, grid.start(), grid.cells(), ghostCells, plan_.particles});
}

void Halo::prepare(const std::vector<FieldPlace>& fields, int particles) {
  if (fields.size() > BorderTargets::most) throw std::length_error("more fields than ghosts can have");
  plan_.particles = particles;
  transport_->prepare(plan_, fields);
}

void Halo::pack(const FieldRows& rows) {
  PackBorder kernel{rows, sendIndex_, sendWay_, transport_->targets(rows), {}};
  for (int way = 0; way < direction::count; ++way) kernel.first[way] = plan_.firstSend[way];
  backend::runBeside("pack border", side_, sends_ * rows.count, kernel);
}

void Halo::send() {
  transport_->start(side_);
  underWay_ = true;
}

void Halo::receive(const FieldRows& rows) {
  underWay_ = false;
  const std::optional<WaySources> came = transport_->finish(side_);
  if (!came) return;
  sources_ = *came;
  unpack(rows);
}

void Halo::unpack(const FieldRows& rows) {
  UnpackGhosts kernel{rows, sources_, {}, plan_.particles};
  for (int way = 0; way <= direction::count; ++way) kernel.first[way] = plan_.firstGhost[way];
  if (arranged_)
    backend::runBeside("unpack ghosts in order", side_, ghosts_ * rows.count, UnpackInOrder{kernel, order_.place()});
  else
    backend::runBeside("unpack ghosts", side_, ghosts_ * rows.count, kernel);
}

void Halo::arrange(const CellGrid& grid, const DeviceArray<u32>& along, const FieldRows& rows) {
  order_.arrange(side_.instance(), along, ghostStart_);
  arranged_ = true;
  startGhostCells(grid);
  unpack(rows);
}

}  // namespace mesowarp::comm
