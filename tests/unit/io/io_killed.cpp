#include "tests/unit/io/io_killed.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int writesLeft = 0;  // of the child; 0: nobody is killed

bool isLast() { return writesLeft > 0 && --writesLeft == 0; }

}  // namespace

// In place of the C library's, for the whole test program: they do the same, but for the last one of a child.
extern "C" ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  const bool last = isLast();
  const ssize_t count = ::syscall(SYS_pwrite64, file, data, last ? size / 2 : size, at);
  if (last) ::raise(SIGKILL);
  return count;
}

extern "C" ssize_t write(int file, const void* data, size_t size) {
  const bool last = isLast();
  const ssize_t count = ::syscall(SYS_write, file, data, last ? size / 2 : size);
  if (last) ::raise(SIGKILL);
  return count;
}

namespace mesowarp::io::test {

bool killedAtWrite(int n, const std::function<void()>& task) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    writesLeft = n;
    try {
      task();
    } catch (const std::exception& error) {
      writesLeft = 0;
      std::fprintf(stderr, "child: %s\n", error.what());
      ::_exit(3);
    }
    ::_exit(0);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("lost a process");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return true;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("the killed task failed");
  return false;
}

}  // namespace mesowarp::io::test
