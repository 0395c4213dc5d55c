// Ghosts: copies of the neighbours' border particles, stored behind a rank's own. At a rebuild the ranks tell each
// other how many particles are in each border cell, and that is the plan: what a neighbour sends, cell by cell, arrives
// in the order in which ghost cells are numbered (grid/halo_cells.hpp). In the steps between, the same rows travel
// again.
//
// The DPD paper's Algorithm 6 flags border particles, scans the flags and compacts; here whole cells are at the border,
// so the scan runs over border cells, which are fewer, and the compaction needs no flags.
#pragma once

#include <memory>

#include "comm/transport/transport_host.hpp"
#include "grid/cells.hpp"
#include "grid/field_rows.hpp"
#include "grid/ghost_order.hpp"

namespace mesowarp::comm {

class Halo {
public:
  Halo(const Communicator& ranks, const Domain& domain, std::unique_ptr<Transport> transport);

  // All of these run on the side stream: what the main stream is given between them may run at the same time.
  // From particles that the main stream sorts into cells: counts those at the border.
  void count(const CellGrid& grid);
  // Collective. Fills in where ghost cells begin (grid.start()), and returns how many ghosts there will be. Waits for
  // count().
  int plan(const CellGrid& grid, int particles);
  // Collective, after plan(): the fields that ghosts have, which are stored behind so many particles.
  void prepare(const std::vector<FieldPlace>& fields, int particles);
  // Rows of border particles start on their way, once what the side stream has been given so far is done; both calls
  // return before they have arrived. Between the two, kernels may be launched that run meanwhile.
  void pack(const FieldRows& rows);
  void send();
  // The ghosts' rows, for kernels of the side stream, and after side().beforeMain() of the main one.
  void receive(const FieldRows& rows);
  // Of a sheared box, whose ghosts lie by other cells than the neighbours': before a plan() by this grid, how they are
  // to be found; behind the first exchange after each plan(), with the ghosts' coordinates along the flow as they came
  // (GhostOrder), where they lie from now on. That exchange's rows are stored anew.
  void orderBy(const CellGrid& grid, const Domain& domain, int flow) { order_ = GhostOrder(grid, domain, flow); }
  void arrange(const CellGrid& grid, const DeviceArray<u32>& along, const FieldRows& rows);
  const GhostPlan& ghostPlan() const { return plan_; }
  // The other way: what ghosts hold is added to the particles that they are copies of. values: [particles, then
  // ghosts][width], of T: float, double or i64; what ghosts hold stays. Collective, after plan() and prepare(), with
  // nothing under way (else std::logic_error); kernels that the main stream is given from now on see the sums. The
  // order of additions is that of ways, so sums have the same bits each time.
  template <class T>
  void addBack(T* values, int width);
  backend::SideStream& side() { return side_; }
  bool underWay() const { return underWay_; }

  int ghosts() const { return ghosts_; }
  // Particles that the last count() found in the domain's cells.
  int own() const { return own_(); }
  const Transport& transport() const { return *transport_; }
  std::size_t bytes() const { return sendIndex_.extent(0) * (sizeof(int) + 1); }

private:
  using SharedInts = Kokkos::View<int*, backend::SharedSpace>;
  using SharedBytes = Kokkos::View<char*, backend::SharedSpace>;
  void exchangeCounts(const HaloCells& cells);
  void startGhostCells(const CellGrid& grid);
  void unpack(const FieldRows& rows);

  WayMessages messages_;
  std::unique_ptr<Transport> transport_;
  backend::SideStream side_;
  Kokkos::View<int, backend::SharedSpace> own_{"own particles"};
  SharedInts counts_, ghostCounts_;     // of each border cell sent, of each ghost cell
  SharedInts sendStart_, ghostStart_;   // their sums up to each, and in all
  DeviceArray<int> sendIndex_;          // particles to send
  DeviceArray<unsigned char> sendWay_;  // and which way
  SharedBytes back_, came_;             // sums on their way back
  GhostPlan plan_;
  WaySources sources_;  // of what came last
  GhostOrder order_;
  bool arranged_ = false;  // ghosts lie as order_ says, else as they come
  int sends_ = 0, ghosts_ = 0;
  bool underWay_ = false;
};

}  // namespace mesowarp::comm
