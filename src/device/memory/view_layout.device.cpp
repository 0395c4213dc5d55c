#include "device/memory/view_layout.hpp"

#include "core/error.hpp"
#include "core/types.hpp"
#include "device/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#endif

namespace mesowarp::backend {
namespace {

// What a kernel sees of a view, and of a number behind it. Plain pointers come first: they are where they should be.
struct LookAtView {
  int* seen;
  const int* data;
  DeviceArray<int> view;
  int behind;
  KOKKOS_INLINE_FUNCTION void operator()(char*) const {
    seen[0] = static_cast<int>(sizeof(DeviceArray<int>));
    seen[1] = view.data() == data && view.extent(0) == 3 ? 1 : 0;
    seen[2] = behind;
  }
};

}  // namespace

void checkViewLayout() {
  constexpr int mark = 20261125;
  const Kokkos::View<int*, SharedSpace> seen("view as the device sees it", 3);
  const DeviceArray<int> view("a view", 3);
  const LookAtView look{seen.data(), view.data(), view, mark};
#ifdef KOKKOS_ENABLE_CUDA
  launchBlocks<32, 1>("layout of views", 1, 1, 0, look);  // Kokkos' own launch puts its range behind the functor
#else
  look(nullptr);
#endif
  Kokkos::fence();
  if (seen(0) != static_cast<int>(sizeof(DeviceArray<int>)) || seen(1) != 1 || seen(2) != mark)
    throw RunError(
        "the compilers of host and device lay out Kokkos' views differently, so kernels would read wrong addresses: "
        "build Kokkos with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON, and mesowarp with it (docs/install.md)");
}

}  // namespace mesowarp::backend
