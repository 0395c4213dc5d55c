// Memory as bytes: copies between host and device, and clearing. In one place for all types, since Kokkos compiles the
// loops of its copies and constructors anew for each.
#pragma once

#include <cstddef>
#include <string>

#include "core/types.hpp"

namespace mesowarp {

// The host waits until they are there.
void copyToDevice(void* device, const void* host, std::size_t bytes);
void copyToHost(void* host, const void* device, std::size_t bytes);
void copyOnDevice(void* to, const void* from, std::size_t bytes);

// What an instance does next, with memory of the device, or shared with it; a copy to the device may come from the
// host's. What is filled begins at a multiple of four bytes.
void copyOn(const Execution& instance, void* to, const void* from, std::size_t bytes);
void fillOn(const Execution& instance, void* first, unsigned char value, std::size_t bytes);

// Memory of the device, cleared by the threads that will work on it: on a machine with several memories a page lies
// with the thread that touches it first. (Kokkos' own constructors clear arrays of plain numbers from one thread in
// many versions after 3.4.)
void clearInParallel(const std::string& label, void* first, std::size_t bytes);

// An array of the device of these bytes: `old`, if it has as many.
DeviceArray<char> bytesToDevice(const char* label, const void* from, std::size_t bytes,
                                const DeviceArray<char>& old = {});

}  // namespace mesowarp
