#include "comm/device_sums.hpp"

#include "comm/pending.hpp"
#include "comm/transport/nccl_ranks.hpp"
#include "comm/transport/transport_nccl.hpp"
#include "device/memory/bytes.hpp"
#include "device/side_stream.hpp"

namespace mesowarp::comm {
namespace {

class SumsOverHost final : public DeviceSums {
public:
  SumsOverHost(const Communicator& ranks, const DeviceArray<i64>& values)
      : ranks_(ranks.handle()), values_(values), host_(Kokkos::create_mirror_view(values)) {}
  ~SumsOverHost() override {
    if (!pending_.givesUp()) new auto(host_);
  }
  SumsOverHost(const SumsOverHost&) = delete;
  SumsOverHost& operator=(const SumsOverHost&) = delete;

  const char* name() const override { return "mpi"; }
  void start() override {
    copyToHost(host_.data(), values_.data(), bytes());
    MPI_Iallreduce(MPI_IN_PLACE, host_.data(), static_cast<int>(host_.extent(0)), MPI_INT64_T, MPI_SUM, ranks_,
                   pending_.begin());
  }
  void finish() override {
    pending_.finish();
    copyToDevice(values_.data(), host_.data(), bytes());
  }

private:
  std::size_t bytes() const { return values_.extent(0) * sizeof(i64); }
  MPI_Comm ranks_;
  DeviceArray<i64> values_;
  typename DeviceArray<i64>::HostMirror host_;
  Pending pending_;
};

#ifdef MESOWARP_NCCL
class SumsByNccl final : public DeviceSums {
public:
  SumsByNccl(const Communicator& ranks, const DeviceArray<i64>& values) : ranks_(ranks), values_(values) {}
  const char* name() const override { return "nccl"; }
  void start() override {
    side_.afterMain();
    checkNccl(ncclAllReduce(values_.data(), values_.data(), values_.extent(0), ncclInt64, ncclSum, ranks_.handle(),
                            side_.stream()),
              "sum");
  }
  void finish() override { side_.beforeMain(); }

private:
  backend::SideStream side_;
  NcclRanks ranks_;
  DeviceArray<i64> values_;
};
#endif

}  // namespace

std::unique_ptr<DeviceSums> makeDeviceSums(const Communicator& ranks, const DeviceArray<i64>& values, bool overHost) {
#ifdef MESOWARP_NCCL
  if (!overHost && backend::onGpu && ranks.size() > 1 && ncclObstacle(ranks).empty())
    return std::make_unique<SumsByNccl>(ranks, values);
#else
  (void)overHost;
#endif
  return std::make_unique<SumsOverHost>(ranks, values);
}

}  // namespace mesowarp::comm
