// For LD_PRELOAD: counts the calls of a process that change files in or below a directory, and does harm at one of
// them.
//   MESOWARP_SHIM_DIR   the directory (absolute); without it the shim does nothing
//   MESOWARP_SHIM_DO    kill: SIGKILL before the call; torn: SIGKILL after half of a write's bytes (else
//                       before the call); raise:N: signal N to this process before the call;
//                       ENOSPC, EIO, EACCES, EROFS, EDQUOT: the call fails
//   MESOWARP_SHIM_AT    at which call, from 1; 0: never
//   MESOWARP_SHIM_LAST  1: errors from then on at every call, not once
//   MESOWARP_SHIM_RANK  on which MPI rank (default 0); all: each rank at its own call of that number
//   MESOWARP_SHIM_ALL   a directory where each process leaves its number; kill and torn then end all of them at once
//   MESOWARP_SHIM_ONLY  only calls whose path contains this text count
//   MESOWARP_SHIM_READS 1: opening for reading alone counts, too
//   MESOWARP_SHIM_LOG   a file, outside of the directory, that gets a line for each call: rank, number, call, path
//   MESOWARP_SHIM_NOLOCK  flock fails as on a file system without locks
//   MESOWARP_SHIM_SLOW  milliseconds that every counted call takes
//   MESOWARP_SHIM_HANDLERS  MPI's start leaves handlers of signals behind, as where Open MPI's hwloc loads OpenCL, and
//                       LLVM with it: each hears one signal, does nothing, and is gone
// And ranks that wait for each other sleep, where Open MPI would yield: whoever yields on a busy machine is last in its
// queue, and two ranks compute a tenth of a second in a minute.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct {
  const char *directory, *only, *all;
  long at, slow;
  int isMine, isKill, isTorn, isLasting, countsReads, signal, error, log, rank;
} plan;
static atomic_long calls;

static int errorOf(const char* name) {
  static const struct {
    const char* name;
    int code;
  } known[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EACCES", EACCES}, {"EROFS", EROFS}, {"EDQUOT", EDQUOT}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
    if (strcmp(name, known[k].name) == 0) return known[k].code;
  return 0;
}

static const char* rankText(void) {
  static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (getenv(names[k])) return getenv(names[k]);
  return "0";
}

__attribute__((constructor)) static void readPlan(void) {
  plan.log = -1;
  plan.directory = getenv("MESOWARP_SHIM_DIR");
  if (!plan.directory) return;
  const char* what = getenv("MESOWARP_SHIM_DO");
  const char* at = getenv("MESOWARP_SHIM_AT");
  const char* slow = getenv("MESOWARP_SHIM_SLOW");
  const char* rank = getenv("MESOWARP_SHIM_RANK");
  const char* log = getenv("MESOWARP_SHIM_LOG");
  plan.only = getenv("MESOWARP_SHIM_ONLY");
  plan.all = getenv("MESOWARP_SHIM_ALL");
  plan.at = at ? atol(at) : 0;
  plan.slow = slow ? atol(slow) : 0;
  plan.rank = atoi(rankText());
  plan.isMine = rank && strcmp(rank, "all") == 0 ? 1 : (rank ? atoi(rank) : 0) == plan.rank;
  plan.isLasting = getenv("MESOWARP_SHIM_LAST") != NULL;
  plan.countsReads = getenv("MESOWARP_SHIM_READS") != NULL;
  if (what) {
    plan.isTorn = strcmp(what, "torn") == 0;
    plan.isKill = plan.isTorn || strcmp(what, "kill") == 0;
    if (strncmp(what, "raise:", 6) == 0) plan.signal = atoi(what + 6);
    plan.error = errorOf(what);
  }
  if (log) plan.log = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (plan.all) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%d", plan.all, (int)getpid());
    syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  }
}

static _Noreturn void die(void) {
  DIR* directory = plan.all ? opendir(plan.all) : NULL;
  for (struct dirent* entry; directory && (entry = readdir(directory));)
    if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid()) kill(atoi(entry->d_name), SIGKILL);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int isBelow(const char* path) {
  const size_t n = strlen(plan.directory);
  if (strncmp(path, plan.directory, n) != 0) return 0;
  return path[n] == '\0' || path[n] == '/' || path[n] == '.' || path[n] == ' ';  // also DIR.1, and "DIR (deleted)"
}

// What is to happen at this call: 0 nothing, 1 half of it and then the end, else an errno.
enum { goOn = 0, half = -1 };

static int countPath(const char* call, const char* path) {
  if (!isBelow(path) || (plan.only && !strstr(path, plan.only))) return goOn;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  if (plan.log >= 0) {
    char line[PATH_MAX + 64];
    const int n = snprintf(line, sizeof line, "%d %ld %s %s\n", plan.rank, number, call, path);
    syscall(SYS_write, plan.log, line, (size_t)n);
  }
  if (plan.slow > 0) {
    struct timespec wait = {plan.slow / 1000, plan.slow % 1000 * 1000000};
    while (nanosleep(&wait, &wait) != 0 && errno == EINTR) {
    }
  }
  if (!plan.isMine || plan.at <= 0 || number < plan.at) return goOn;
  if (plan.error && (number == plan.at || plan.isLasting)) return plan.error;
  if (number != plan.at) return goOn;
  if (plan.isTorn) return half;
  if (plan.isKill) die();
  if (plan.signal) kill(getpid(), plan.signal);
  return goOn;
}

static int countDescriptor(const char* call, int descriptor) {
  if (!plan.directory) return goOn;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return goOn;
  path[n] = '\0';
  return countPath(call, path);
}

// Absolute by its folder's real name; names that do not exist stay as they are.
static int countName(const char* call, int folder, const char* name) {
  if (!plan.directory) return goOn;
  char full[PATH_MAX], real[PATH_MAX], joined[2 * PATH_MAX + 2], link[64];
  if (name[0] == '/') {
    snprintf(full, sizeof full, "%s", name);
  } else {
    char base[PATH_MAX];
    if (folder == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return goOn;
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      const ssize_t n = readlink(link, base, sizeof base - 1);
      if (n <= 0) return goOn;
      base[n] = '\0';
    }
    snprintf(joined, sizeof joined, "%s/%s", base, name);
    snprintf(full, sizeof full, "%.*s", PATH_MAX - 1, joined);
  }
  char* slash = strrchr(full, '/');
  char last[PATH_MAX];
  snprintf(last, sizeof last, "%s", slash + 1);
  *slash = '\0';
  if (!realpath(full[0] ? full : "/", real)) snprintf(real, sizeof real, "%s", full);
  snprintf(joined, sizeof joined, "%s%s%s", strcmp(real, "/") ? real : "", last[0] ? "/" : "", last);
  return countPath(call, joined);
}

#define NEXT(name)                                                                                                     \
  static __typeof__(&name) next;                                                                                       \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define OR_FAIL(counting, failed)                                                                                      \
  const int harm = counting;                                                                                           \
  if (harm > 0) {                                                                                                      \
    errno = harm;                                                                                                      \
    return failed;                                                                                                     \
  }                                                                                                                    \
  if (harm == half) die()
#define OR_HALF(counting, partly)                                                                                      \
  const int harm = counting;                                                                                           \
  if (harm > 0) {                                                                                                      \
    errno = harm;                                                                                                      \
    return -1;                                                                                                         \
  }                                                                                                                    \
  if (harm == half) {                                                                                                  \
    if (partly) {                                                                                                      \
    }                                                                                                                  \
    die();                                                                                                             \
  }

ssize_t write(int file, const void* data, size_t bytes) {
  NEXT(write);
  OR_HALF(countDescriptor("write", file), next(file, data, bytes / 2));
  return next(file, data, bytes);
}
ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
  NEXT(pwrite);
  OR_HALF(countDescriptor("pwrite", file), next(file, data, bytes / 2, at));
  return next(file, data, bytes, at);
}
ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t at) {
  NEXT(pwrite64);
  OR_HALF(countDescriptor("pwrite", file), next(file, data, bytes / 2, at));
  return next(file, data, bytes, at);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  NEXT(writev);
  OR_HALF(countDescriptor("writev", file),
          count > 0 ? (ssize_t)syscall(SYS_write, file, parts[0].iov_base, parts[0].iov_len / 2) : 0);
  return next(file, parts, count);
}
ssize_t pwritev(int file, const struct iovec* parts, int count, off_t at) {
  NEXT(pwritev);
  OR_HALF(countDescriptor("pwritev", file), next(file, parts, (count + 1) / 2, at));
  return next(file, parts, count, at);
}
ssize_t pwritev64(int file, const struct iovec* parts, int count, off64_t at) {
  NEXT(pwritev64);
  OR_HALF(countDescriptor("pwritev", file), next(file, parts, (count + 1) / 2, at));
  return next(file, parts, count, at);
}
// glibc's own streams write without the functions above.
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  NEXT(fwrite);
  const int harm = countDescriptor("fwrite", fileno(file));
  if (harm > 0) {
    errno = harm;
    return 0;
  }
  if (harm == half) {
    syscall(SYS_write, fileno(file), data, size * count / 2);
    die();
  }
  return next(data, size, count, file);
}
#undef fwrite_unlocked
size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* file) {
  return fwrite(data, size, count, file);
}
int fflush(FILE* file) {
  NEXT(fflush);
  if (file) {
    OR_FAIL(countDescriptor("fflush", fileno(file)), EOF);
  }
  return next(file);
}
int fsync(int file) {
  NEXT(fsync);
  OR_FAIL(countDescriptor("fsync", file), -1);
  return next(file);
}
int fdatasync(int file) {
  NEXT(fdatasync);
  OR_FAIL(countDescriptor("fdatasync", file), -1);
  return next(file);
}
int ftruncate(int file, off_t length) {
  NEXT(ftruncate);
  OR_FAIL(countDescriptor("ftruncate", file), -1);
  return next(file, length);
}
int ftruncate64(int file, off64_t length) {
  NEXT(ftruncate64);
  OR_FAIL(countDescriptor("ftruncate", file), -1);
  return next(file, length);
}
int fallocate(int file, int mode, off_t at, off_t length) {
  NEXT(fallocate);
  OR_FAIL(countDescriptor("fallocate", file), -1);
  return next(file, mode, at, length);
}
int fallocate64(int file, int mode, off64_t at, off64_t length) {
  NEXT(fallocate64);
  OR_FAIL(countDescriptor("fallocate", file), -1);
  return next(file, mode, at, length);
}
int posix_fallocate(int file, off_t at, off_t length) {
  NEXT(posix_fallocate);
  OR_FAIL(countDescriptor("posix_fallocate", file), harm);
  return next(file, at, length);
}
int posix_fallocate64(int file, off64_t at, off64_t length) {
  NEXT(posix_fallocate64);
  OR_FAIL(countDescriptor("posix_fallocate", file), harm);
  return next(file, at, length);
}
int truncate(const char* path, off_t length) {
  NEXT(truncate);
  OR_FAIL(countName("truncate", AT_FDCWD, path), -1);
  return next(path, length);
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  OR_FAIL(countName("rename", AT_FDCWD, to), -1);
  return next(from, to);
}
int renameat(int fromFolder, const char* from, int toFolder, const char* to) {
  NEXT(renameat);
  OR_FAIL(countName("renameat", toFolder, to), -1);
  return next(fromFolder, from, toFolder, to);
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
  NEXT(renameat2);
  OR_FAIL(countName("renameat2", toFolder, to), -1);
  return next(fromFolder, from, toFolder, to, flags);
}
int link(const char* from, const char* to) {
  NEXT(link);
  OR_FAIL(countName("link", AT_FDCWD, to), -1);
  return next(from, to);
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) {
  NEXT(linkat);
  OR_FAIL(countName("linkat", toFolder, to), -1);
  return next(fromFolder, from, toFolder, to, flags);
}
int unlink(const char* path) {
  NEXT(unlink);
  OR_FAIL(countName("unlink", AT_FDCWD, path), -1);
  return next(path);
}
int unlinkat(int folder, const char* path, int flags) {
  NEXT(unlinkat);
  OR_FAIL(countName("unlinkat", folder, path), -1);
  return next(folder, path, flags);
}
int remove(const char* path) {
  NEXT(remove);
  OR_FAIL(countName("remove", AT_FDCWD, path), -1);
  return next(path);
}
int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  OR_FAIL(countName("mkdir", AT_FDCWD, path), -1);
  return next(path, mode);
}

int flock(int file, int operation) {
  NEXT(flock);
  if (getenv("MESOWARP_SHIM_NOLOCK")) {
    errno = ENOLCK;
    return -1;
  }
  return next(file, operation);
}

static void hearOnce(int signal) { (void)signal; }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  NEXT(MPI_Init_thread);
  const int result = next(argc, argv, required, provided);
  if (getenv("MESOWARP_SHIM_HANDLERS")) {
    const struct sigaction once = {.sa_handler = hearOnce, .sa_flags = (int)SA_RESETHAND};
    const int heard[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    for (size_t k = 0; k < sizeof heard / sizeof *heard; ++k) sigaction(heard[k], &once, NULL);
  }
  return result;
}

int sched_yield(void) {
  const struct timespec wait = {0, 1000};
  nanosleep(&wait, NULL);
  return 0;
}

static mode_t modeOf(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(list, int) : 0; }

#define OPEN(name, call)                                                                                               \
  int name(const char* path, int flags, ...) {                                                                         \
    NEXT(name);                                                                                                        \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    const mode_t mode = modeOf(flags, list);                                                                           \
    va_end(list);                                                                                                      \
    if (plan.countsReads || flags & (O_CREAT | O_TRUNC)) {                                                             \
      OR_FAIL(countName(call, AT_FDCWD, path), -1);                                                                    \
    }                                                                                                                  \
    return next(path, flags, mode);                                                                                    \
  }
OPEN(open, "open")
OPEN(open64, "open")

#define OPENAT(name, call)                                                                                             \
  int name(int folder, const char* path, int flags, ...) {                                                             \
    NEXT(name);                                                                                                        \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    const mode_t mode = modeOf(flags, list);                                                                           \
    va_end(list);                                                                                                      \
    if (plan.countsReads || flags & (O_CREAT | O_TRUNC)) {                                                             \
      OR_FAIL(countName(call, folder, path), -1);                                                                      \
    }                                                                                                                  \
    return next(folder, path, flags, mode);                                                                            \
  }
OPENAT(openat, "open")
OPENAT(openat64, "open")

#define FOPEN(name)                                                                                                    \
  FILE* name(const char* path, const char* mode) {                                                                     \
    NEXT(name);                                                                                                        \
    if (plan.countsReads || mode[0] != 'r') {                                                                          \
      OR_FAIL(countName("fopen", AT_FDCWD, path), NULL);                                                               \
    }                                                                                                                  \
    return next(path, mode);                                                                                           \
  }
FOPEN(fopen)
FOPEN(fopen64)
