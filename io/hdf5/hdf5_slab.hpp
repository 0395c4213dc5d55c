// Boxes of elements of a dataset, moved by one process or by all ranks at once: collectively, so that MPI-IO can join
// what they bring. Each rank names its own box, which may be empty.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/ranks.hpp"

namespace mesowarp::io::hdf5 {

struct Slab {
  Shape start, count;
  int along = 0;  // the dimension along which ranks share the dataset, and in which large slabs are cut
};

// data: the elements of the slab, of type memoryType, in row-major order. Returns whether HDF5 made one collective
// transfer of it, which is a matter of speed alone (one process: no). Throws RunError, on all ranks alike.
bool writeSlab(const Dataset& dataset, const std::string& path, hid_t memoryType, const Slab& slab, const void* data,
               Ranks ranks);
bool readSlab(const Dataset& dataset, const std::string& path, hid_t memoryType, const Slab& slab, void* data,
              Ranks ranks);

}  // namespace mesowarp::io::hdf5
