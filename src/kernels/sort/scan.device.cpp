#include "kernels/sort/scan.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/sort/scan_gpu.hpp"
#else
#include "kernels/sort/scan_cpu.hpp"
#endif

namespace mesowarp::backend {

void Scanner::operator()(const char* label, const DeviceArray<int>& in, const DeviceArray<int>& out) {
  if (in.extent(0) > 0) exclusiveScan(label, in, out, temporary_);
}

}  // namespace mesowarp::backend
