#include "run/mpi_session.hpp"

#include <cstring>
#include <mpi.h>

namespace mesowarp::comm {

MpiSession::MpiSession(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

MpiSession::~MpiSession() { MPI_Finalize(); }

const char* MpiSession::libraryVersion() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  if (char* comma = std::strpbrk(text, ",\n")) *comma = '\0';
  return text;
}

}  // namespace mesowarp::comm
