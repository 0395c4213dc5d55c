#include "backend/scan.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "backend/scan_gpu.hpp"
#else
#include "backend/scan_cpu.hpp"
#endif

namespace mesowarp::backend {

void Scanner::operator()(const char* label, const DeviceArray<int>& in, const DeviceArray<int>& out) {
  if (in.extent(0) > 0) exclusiveScan(label, in, out, temporary_);
}

}  // namespace mesowarp::backend
