// Parts of datasets: transfers of several ranks are collective, also where numbers are converted, and refused by all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/hdf5/hdf5_series.hpp"
#include "io/hdf5/hdf5_slab.hpp"
#include "tests/mpi/io_support.hpp"

namespace mesowarp::io {
namespace {

using test::messageOf;
using test::SharedDirectory;

// A contiguous dataset and one in chunks, both of 10 x 100 x 3 single-precision numbers, written as double.
class MpiSlab : public testing::Test {
protected:
  MpiSlab() {
    ranks_.onRoot([&] {
      hdf5::File file = hdf5::createFile(path_);
      hdf5::createDataset(file.get(), "contiguous", H5T_NATIVE_FLOAT, {10, 100, 3});
      auto series = hdf5::Series::create(file.get(), "chunked", H5T_IEEE_F32LE, {100, 3});
      for (int row = 0; row < 10; ++row) series.append(std::vector<double>(300));
      hdf5::close(std::move(file), path_);
    });
  }
  // The ranks share the middle dimension.
  hdf5::Slab ownSlab() const {
    const auto size = static_cast<hsize_t>(ranks_.size()), rank = static_cast<hsize_t>(ranks_.rank());
    const hsize_t first = 100 * rank / size, last = 100 * (rank + 1) / size;
    return {{4, first, 0}, {2, last - first, 3}, 1};
  }

  const comm::Communicator ranks_;
  const SharedDirectory directory_{ranks_};
  const std::string path_ = directory_ / "slabs.h5";
};

TEST_F(MpiSlab, TransfersAreCollective) {
  const hdf5::File file = hdf5::openFile(path_, hdf5::Mode::readWrite, &ranks_);
  const hdf5::Slab slab = ownSlab();
  std::vector<double> written(2 * slab.count[1] * 3), read(written.size());
  for (std::size_t k = 0; k < written.size(); ++k) written[k] = 1000.0 * ranks_.rank() + static_cast<double>(k);
  for (const char* name : {"contiguous", "chunked"}) {
    const hdf5::Dataset dataset = hdf5::openDataset(file.get(), name);
    const bool several = ranks_.size() > 1;
    EXPECT_EQ(hdf5::writeSlab(dataset, name, H5T_NATIVE_DOUBLE, slab, written.data(), &ranks_), several) << name;
    hdf5::readSlab(dataset, name, H5T_NATIVE_DOUBLE, slab, read.data(), &ranks_);
    EXPECT_EQ(read, written) << name;
    std::vector<float> same(written.size());
    EXPECT_EQ(hdf5::readSlab(dataset, name, H5T_NATIVE_FLOAT, slab, same.data(), &ranks_), several) << name;
  }
}

TEST_F(MpiSlab, WhatLiesOutsideIsRefusedByAll) {
  const hdf5::File file = hdf5::openFile(path_, hdf5::Mode::readWrite, &ranks_);
  const hdf5::Dataset dataset = hdf5::openDataset(file.get(), "contiguous");
  hdf5::Slab slab = ownSlab();
  std::vector<double> data(2 * 100 * 3);
  if (ranks_.rank() == ranks_.size() - 1) slab.start[1] += 1;
  const auto write = [&] { hdf5::writeSlab(dataset, "contiguous", H5T_NATIVE_DOUBLE, slab, data.data(), &ranks_); };
  EXPECT_THAT(messageOf<RunError>(write), testing::HasSubstr("too small"));
  EXPECT_THAT(messageOf<RunError>([&] { hdf5::openFile(directory_ / "none.h5", hdf5::Mode::read, &ranks_); }),
              testing::HasSubstr("none.h5"));
}

}  // namespace
}  // namespace mesowarp::io
