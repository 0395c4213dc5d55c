// How HDF5 reaches a file from one process: POSIX reads and writes. Unlike HDF5's own driver, this one remembers a
// write that failed (disk full, quota) instead of passing it on, and drops what would come after it. HDF5 1.10 does not
// survive failing writes: its file cannot be closed any more and MPI_Finalize crashes in HDF5's clean-up. Dropping the
// rest also keeps the file as it was at the last flush, since new data goes to its end first.
//
// HDF5 overwrites what describes a file in place, and a file left between two of these writes cannot be opened or,
// worse, gives out places that are taken: its end as HDF5 knows it lies before what was written last. So the driver
// keeps an undo journal (undo_journal.hpp), if it is given one.
#pragma once

#include <cstdint>
#include <hdf5.h>

#include "io/files/undo_journal.hpp"
#include "io/hdf5/hdf5_places.hpp"

namespace mesowarp::io::hdf5 {

// The driver's identifier, for H5Pset_driver().
hid_t diskDriver();

// errno of the first write to the file that failed; 0 if none did, or the file is open through another driver.
int writeErrorOf(hid_t file);

// From now on, what is overwritten in the file goes to this journal first. Throws RunError for files of other drivers.
void keepUndo(hid_t file, UndoJournal journal);

// To be called before others write this many entries there. A failure shows as one of writing.
void aboutToOverwrite(hid_t file, const Places& places, std::uint64_t entries);

}  // namespace mesowarp::io::hdf5
