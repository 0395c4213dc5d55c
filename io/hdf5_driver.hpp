// How HDF5 reaches a file from one process: POSIX reads and writes. Unlike HDF5's own driver, this one remembers a
// write that failed (disk full, quota) instead of passing it on, and drops what would come after it. HDF5 1.10 does not
// survive failing writes: its file cannot be closed any more and MPI_Finalize crashes in HDF5's clean-up. Dropping the
// rest also keeps the file as it was at the last flush, since new data goes to its end first.
#pragma once

#include <hdf5.h>

namespace mesowarp::io::hdf5 {

// The driver's identifier, for H5Pset_driver().
hid_t diskDriver();

// errno of the first write to the file that failed; 0 if none did, or the file is open through another driver.
int writeErrorOf(hid_t file);

}  // namespace mesowarp::io::hdf5
