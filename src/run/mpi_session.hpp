// MPI for the lifetime of the program.
#pragma once

namespace mesowarp::comm {

class MpiSession {
public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  static const char* libraryVersion();  // first line of the library's own description

private:
  int rank_ = 0, ranks_ = 1;
};

}  // namespace mesowarp::comm
