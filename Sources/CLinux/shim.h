#pragma once
// Linux calls that Glibc hides from Swift. _GNU_SOURCE is not defined here: it changes the layout of types that
// other modules import, and the compiler then refuses a file that imports both. Each wrapper returns its
// result, or -errno.

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

long syscall(long number, ...);

#ifdef __x86_64__
#define LINUX_O_DIRECT 040000
#elif defined(__aarch64__)
#define LINUX_O_DIRECT 0200000
#else
#error "O_DIRECT is not known for this processor"
#endif
#define LINUX_RENAME_NOREPLACE 1
#define LINUX_SEEK_DATA 3
#define LINUX_SEEK_HOLE 4
#define LINUX_RENAME_EXCHANGE 2

static inline long linux_result(long result) { return result < 0 ? -(long)errno : result; }

static inline long linux_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return linux_result(syscall(SYS_openat2, folder, path, &how, sizeof how));
}
static inline long linux_renameat2(int from, const char *old, int to, const char *new_name, unsigned flags) {
  return linux_result(syscall(SYS_renameat2, from, old, to, new_name, flags));
}
// The two ends of a pipe, reading and writing, that no program started from here inherits.
static inline long linux_pipe(int ends[2]) { return linux_result(syscall(SYS_pipe2, ends, O_CLOEXEC)); }
static inline long linux_accept(int listener, int flags) {
  return linux_result(syscall(SYS_accept4, listener, 0, 0, flags));
}
// A file without a name, in memory, that no program started from here inherits by itself; flag 1 is MFD_CLOEXEC.
static inline long linux_memory_file(const char *label) { return linux_result(syscall(SYS_memfd_create, label, 1u)); }
static inline long linux_fallocate(int file, int mode, off_t offset, off_t length) {
  return linux_result(syscall(SYS_fallocate, file, mode, offset, length));
}
// Flag 2 starts writing the pages that are dirty, without waiting.
static inline long linux_start_writeback(int file, off_t offset, off_t length) {
  return linux_result(syscall(SYS_sync_file_range, file, offset, length, 2));
}
// The multiple at which memory for O_DIRECT must lie; 0 where such calls go through the page cache, or nobody says.
// Mask 0x2000 is STATX_DIOALIGN, flag 0x1000 AT_EMPTY_PATH, and 0x98 the place of stx_dio_mem_align.
static inline long linux_direct_alignment(int file) {
  uint32_t facts[64] = {0};
  long result = linux_result(syscall(SYS_statx, file, "", 0x1000, 0x2000, facts));
  if (result < 0) return result;
  return facts[0] & 0x2000 ? (long)facts[0x98 / 4] : 0;
}
static inline long linux_getrandom(void *buffer, size_t count) {
  return linux_result(syscall(SYS_getrandom, buffer, count, 0));
}
// The f_type of the filesystem that holds `file`.
static inline long linux_filesystem_type(int file) {
  struct statfs facts;
  return fstatfs(file, &facts) < 0 ? -(long)errno : (long)(unsigned int)facts.f_type;
}
// Shares the blocks of a range of one file with another; file systems without support say EOPNOTSUPP or EXDEV.
static inline long linux_clone_range(int from, uint64_t start, uint64_t length, int to, uint64_t place) {
  struct file_clone_range range = {.src_fd = from, .src_offset = start, .src_length = length, .dest_offset = place};
  return linux_result(ioctl(to, FICLONERANGE, &range));
}

// A kernel lease on a whole file, which nobody gets while others have the file open.
#define LINUX_F_SETLEASE 1024
// Asks lseek for the next place that was never written.
#define LINUX_SEEK_HOLE 4

// The data and the metadata of everything on the file system that holds `file`.
static inline long linux_fsetxattr(int file, const char *name, const void *value, size_t count) {
  return linux_result(syscall(SYS_fsetxattr, file, name, value, count, 0));
}
static inline long linux_fremovexattr(int file, const char *name) {
  return linux_result(syscall(SYS_fremovexattr, file, name));
}

// An open file without a name, which vanishes unless it is given one.
static const int LINUX_O_TMPFILE = 020000000 | O_DIRECTORY;

// PR_SET_DUMPABLE to 0: no core dump, whatever its pattern, and no tracing or reading of the memory but by root.
static inline long linux_forbid_dumps(void) { return linux_result(syscall(SYS_prctl, 4, 0, 0, 0, 0)); }
// The soft RLIMIT_CORE to 0, for the programs that are started from here too; the hard limit stays.
static inline long linux_limit_cores(void) {
  uint64_t limits[2];
  if (syscall(SYS_prlimit64, 0, 4, 0, limits) < 0) return -(long)errno;
  limits[0] = 0;
  return linux_result(syscall(SYS_prlimit64, 0, 4, limits, 0));
}
// Takes away what the runtime of Swift has set up for crashes, which prints registers and memory; an ignored signal stays so.
static inline void linux_forget_crash_handlers(void) {
  static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
  for (unsigned i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
    struct sigaction action;
    if (sigaction(crashes[i], 0, &action) == 0 && action.sa_handler != SIG_IGN) signal(crashes[i], SIG_DFL);
  }
}

// The I/O priority and the niceness of one thread. Kind 1 is a thread; class 3 (idle) stands in the highest bits.
static inline long linux_set_idle_io(int thread) {
  return linux_result(syscall(SYS_ioprio_set, 1, thread, 3 << 13));
}
// The niceness and 20, so that no value is below zero; what the kernel returns is 20 less the niceness.
static inline long linux_niceness(int thread) {
  long result = linux_result(syscall(SYS_getpriority, 0, thread));
  return result < 0 ? result : 40 - result;
}
static inline long linux_set_niceness(int thread, int niceness) {
  return linux_result(syscall(SYS_setpriority, 0, thread, niceness));
}
