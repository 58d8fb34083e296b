/* Runs a program and strikes chosen system calls of it: only those that touch a folder, counted over all its threads.
 *
 *   call-striker --folder PATH… --log FILE [--rule NAME:FIRST:LAST:ACTION[:VALUE]]… -- PROGRAM ARGUMENT…
 *
 * strace counts each thread on its own, and a call of a Swift program may come from any thread of a pool; here the
 * n-th call is the n-th call. A call touches a folder if a path or descriptor that it is given lies beneath it; from
 * the first such call on, writes to standard output and the end of the program count too. Each is a line of the log:
 *
 *   NUMBER NAME PATH [PATH]            and, without a number, `- socket DOMAIN`
 *
 * A rule holds for the calls FIRST to LAST (0: for ever) among those of this NAME; `*` is any. Actions:
 *
 *   kill           the program is killed before the call is made
 *   error:NUMBER   the call is not made and fails with this error
 *   return:NUMBER  the call is not made and claims success; a write claims at most what it was given
 *   shorten:COUNT  a write is made of at most so many bytes
 *   withhold:FLAGS openat2 is made without these flags
 *   before:COMMAND, after:COMMAND   a shell command runs while the call waits
 *
 * A program that keeps its memory to itself (PR_SET_DUMPABLE) is told that it does, and does not: only root could see
 * the paths of its calls. It ends as the program ends, by the same code or signal. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Which arguments lead to files. */
enum shape { PATH, TWO_PATHS, AT, TWO_AT, LINK_AT, DESCRIPTOR, WRITE, END, SOCKET };

static const struct {
  long number;
  const char *name;
  enum shape shape;
} calls[] = {
#ifdef SYS_open
    {SYS_open, "open", PATH},
    {SYS_mkdir, "mkdir", PATH},
    {SYS_rmdir, "rmdir", PATH},
    {SYS_unlink, "unlink", PATH},
    {SYS_chmod, "chmod", PATH},
    {SYS_chown, "chown", PATH},
    {SYS_rename, "rename", TWO_PATHS},
    {SYS_link, "link", TWO_PATHS},
    {SYS_creat, "creat", PATH},
#endif
    {SYS_openat, "openat", AT},
    {SYS_openat2, "openat2", AT},
    {SYS_mkdirat, "mkdirat", AT},
    {SYS_unlinkat, "unlinkat", AT},
    {SYS_fchmodat, "fchmodat", AT},
    {SYS_fchownat, "fchownat", AT},
    {SYS_utimensat, "utimensat", AT},
    {SYS_renameat2, "renameat2", TWO_AT},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", TWO_AT},
#endif
    {SYS_linkat, "linkat", TWO_AT},
    {SYS_symlinkat, "symlinkat", LINK_AT},
    {SYS_write, "write", WRITE},
    {SYS_pwrite64, "pwrite64", WRITE},
    {SYS_read, "read", DESCRIPTOR},
    {SYS_pread64, "pread64", DESCRIPTOR},
    {SYS_fallocate, "fallocate", DESCRIPTOR},
    {SYS_ftruncate, "ftruncate", DESCRIPTOR},
    {SYS_fchmod, "fchmod", DESCRIPTOR},
    {SYS_fchown, "fchown", DESCRIPTOR},
    {SYS_fsync, "fsync", DESCRIPTOR},
    {SYS_fdatasync, "fdatasync", DESCRIPTOR},
    {SYS_syncfs, "syncfs", DESCRIPTOR},
    {SYS_flock, "flock", DESCRIPTOR},
    {SYS_fcntl, "fcntl", DESCRIPTOR},
    {SYS_ioctl, "ioctl", DESCRIPTOR},
    {SYS_fsetxattr, "fsetxattr", DESCRIPTOR},
    {SYS_getdents64, "getdents64", DESCRIPTOR},
    {SYS_fadvise64, "fadvise64", DESCRIPTOR},
    {SYS_sync_file_range, "sync_file_range", DESCRIPTOR},
    {SYS_exit_group, "exit_group", END},
    {SYS_socket, "socket", SOCKET},
};
enum { call_count = sizeof calls / sizeof calls[0], most = 64 };

enum action { NOTHING, KILL, FAIL, CLAIM, SHORTEN, WITHHOLD, BEFORE, AFTER };

static struct rule {
  char name[32];
  long first, last, seen;
  enum action action;
  const char *value;
} rules[most];
static int rule_count;

static const char *folders[most];
static int folder_count;
static FILE *report;
static long counted;

/* What is still to be done at the end of a call of a thread. */
static struct { pid_t thread; enum action action; long value; const char *command; } pending[1024];
static int pending_count;

static void die(const char *what) {
  fprintf(stderr, "call-striker: %s: %s\n", what, strerror(errno));
  exit(125);
}

static bool is_inside(const char *path) {
  for (int i = 0; i < folder_count; i++) {
    size_t length = strlen(folders[i]);
    if (!strncmp(path, folders[i], length) && (!path[length] || path[length] == '/')) return true;
  }
  return false;
}

static void path_of_descriptor(pid_t thread, int descriptor, char *path) {
  char link[64];
  if (descriptor == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", thread);
  else snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
}

static void text_at(pid_t thread, uint64_t address, char *text) {
  size_t done = 0;
  while (done < PATH_MAX - 1) {
    size_t count = 64 - (address + done) % 64;
    if (count > PATH_MAX - 1 - done) count = PATH_MAX - 1 - done;
    struct iovec here = {text + done, count}, there = {(void *)(uintptr_t)(address + done), count};
    if (process_vm_readv(thread, &here, 1, &there, 1, 0) != (ssize_t)count) break;
    if (memchr(text + done, 0, count)) return;
    done += count;
  }
  text[done] = 0;
}

static void path_at(pid_t thread, int descriptor, uint64_t address, char *path) {
  char name[PATH_MAX];
  text_at(thread, address, name);
  if (name[0] == '/') {
    strcpy(path, name);
    return;
  }
  path_of_descriptor(thread, descriptor, path);
  size_t length = strlen(path);
  snprintf(path + length, PATH_MAX - length, "/%s", name);
}

/* Whether the call counts; its paths are written down. */
static bool touches(pid_t thread, enum shape shape, const uint64_t *arguments, char *one, char *two) {
  one[0] = two[0] = 0;
  switch (shape) {
    case PATH: path_at(thread, AT_FDCWD, arguments[0], one); break;
    case TWO_PATHS:
      path_at(thread, AT_FDCWD, arguments[0], one);
      path_at(thread, AT_FDCWD, arguments[1], two);
      break;
    case AT: path_at(thread, (int)arguments[0], arguments[1], one); break;
    case TWO_AT:
      path_at(thread, (int)arguments[0], arguments[1], one);
      path_at(thread, (int)arguments[2], arguments[3], two);
      break;
    case LINK_AT: path_at(thread, (int)arguments[1], arguments[2], one); break;
    case WRITE:
      if (arguments[0] == 1 && counted) {
        strcpy(one, "standard-output");
        return true;
      }
      path_of_descriptor(thread, (int)arguments[0], one);
      break;
    case DESCRIPTOR: path_of_descriptor(thread, (int)arguments[0], one); break;
    case END: return counted > 0;
    case SOCKET: return false;
  }
  return is_inside(one) || (two[0] && is_inside(two));
}

/* Changes what the call is: another number, or another third argument. */
static void change_call(pid_t thread, bool skips, long third) {
#if defined __x86_64__
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) die("PTRACE_GETREGS");
  if (skips) registers.orig_rax = (unsigned long long)-1;
  else registers.rdx = (unsigned long long)third;
  if (ptrace(PTRACE_SETREGS, thread, 0, &registers)) die("PTRACE_SETREGS");
#elif defined __aarch64__
  if (skips) {
    int number = -1;
    struct iovec part = {&number, sizeof number};
    if (ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &part)) die("PTRACE_SETREGSET");
    return;
  }
  struct user_regs_struct registers;
  struct iovec part = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part)) die("PTRACE_GETREGSET");
  registers.regs[2] = (unsigned long long)third;
  if (ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part)) die("PTRACE_SETREGSET");
#else
#error "only x86-64 and arm64 are known"
#endif
}

static void set_result(pid_t thread, long result) {
#if defined __x86_64__
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) die("PTRACE_GETREGS");
  registers.rax = (unsigned long long)result;
  if (ptrace(PTRACE_SETREGS, thread, 0, &registers)) die("PTRACE_SETREGS");
#else
  struct user_regs_struct registers;
  struct iovec part = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part)) die("PTRACE_GETREGSET");
  registers.regs[0] = (unsigned long long)result;
  if (ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part)) die("PTRACE_SETREGSET");
#endif
}

/* Takes flags out of the `struct open_how` at this address, of which they are the first member. */
static void withhold(pid_t thread, uint64_t address, uint64_t withheld) {
  uint64_t flags;
  struct iovec here = {&flags, sizeof flags}, there = {(void *)(uintptr_t)address, sizeof flags};
  if (process_vm_readv(thread, &here, 1, &there, 1, 0) != sizeof flags) die("process_vm_readv");
  flags &= ~withheld;
  if (process_vm_writev(thread, &here, 1, &there, 1, 0) != sizeof flags) die("process_vm_writev");
}

static void at_end(pid_t thread, enum action action, long value, const char *command) {
  if (pending_count == 1024) die("too many calls at once");
  pending[pending_count].thread = thread;
  pending[pending_count].action = action;
  pending[pending_count].value = value;
  pending[pending_count++].command = command;
}

static void run(const char *command) {
  int status = system(command);
  fprintf(report, "- ran %d\n", status);
  fflush(report);
}

/* Returns whether the program was killed. */
static bool strike(pid_t process, pid_t thread, const char *name, enum shape shape, const uint64_t *arguments) {
  struct rule *rule = NULL;
  for (int i = 0; i < rule_count; i++) {
    if (strcmp(rules[i].name, "*") && strcmp(rules[i].name, name)) continue;
    long number = ++rules[i].seen;
    if (!rule && number >= rules[i].first && (!rules[i].last || number <= rules[i].last)) rule = &rules[i];
  }
  if (!rule) return false;
  long value = rule->value ? strtol(rule->value, NULL, 10) : 0;
  switch (rule->action) {
    case KILL:
      kill(process, SIGKILL);
      /* The call may be one of a child, which stands still until it is let go. */
      if (thread != process) kill(thread, SIGKILL);
      return true;
    case FAIL:
      change_call(thread, true, 0);
      at_end(thread, CLAIM, -value, NULL);
      break;
    case CLAIM:
      if (shape == WRITE && value > (long)arguments[2]) value = (long)arguments[2];
      change_call(thread, true, 0);
      at_end(thread, CLAIM, value, NULL);
      break;
    case SHORTEN:
      if (shape == WRITE && value < (long)arguments[2]) change_call(thread, false, value);
      break;
    case WITHHOLD: withhold(thread, arguments[2], (uint64_t)value); break;
    case BEFORE: run(rule->value); break;
    case AFTER: at_end(thread, AFTER, 0, rule->value); break;
    case NOTHING: break;
  }
  return false;
}

static bool entered(pid_t process, pid_t thread, const struct __ptrace_syscall_info *info) {
  if (info->entry.nr == SYS_prctl && info->entry.args[0] == PR_SET_DUMPABLE && !info->entry.args[1]) {
    change_call(thread, true, 0);
    at_end(thread, CLAIM, 0, NULL);
    return false;
  }
  for (int i = 0; i < call_count; i++) {
    if (calls[i].number != (long)info->entry.nr) continue;
    if (calls[i].shape == SOCKET) fprintf(report, "- socket %d\n", (int)info->entry.args[0]);
    char one[PATH_MAX], two[PATH_MAX];
    if (!touches(thread, calls[i].shape, info->entry.args, one, two)) return false;
    fprintf(report, "%ld %s %s %s\n", ++counted, calls[i].name, one, two);
    fflush(report);
    return strike(process, thread, calls[i].name, calls[i].shape, info->entry.args);
  }
  return false;
}

static void left(pid_t thread) {
  for (int i = 0; i < pending_count; i++) {
    if (pending[i].thread != thread) continue;
    if (pending[i].action == CLAIM) set_result(thread, pending[i].value);
    else run(pending[i].command);
    pending[i] = pending[--pending_count];
    return;
  }
}

static void add_rule(char *text) {
  if (rule_count == most) die("too many rules");
  struct rule *rule = &rules[rule_count++];
  char action[16] = "";
  int used = 0;
  if (sscanf(text, "%31[^:]:%ld:%ld:%15[^:]%n", rule->name, &rule->first, &rule->last, action, &used) != 4)
    die("a rule is NAME:FIRST:LAST:ACTION");
  rule->value = text[used] == ':' ? text + used + 1 : NULL;
  static const char *names[] = {"", "kill", "error", "return", "shorten", "withhold", "before", "after"};
  for (int i = KILL; i <= AFTER; i++)
    if (!strcmp(action, names[i])) rule->action = (enum action)i;
  if (rule->action == NOTHING || (rule->action != KILL && !rule->value)) die("no such action");
}

static pid_t start(char **command) {
  pid_t process = fork();
  if (process < 0) die("fork");
  if (!process) {
    raise(SIGSTOP);
    execv(command[0], command);
    fprintf(stderr, "call-striker: %s: %s\n", command[0], strerror(errno));
    _exit(126);
  }
  int status;
  if (waitpid(process, &status, WUNTRACED) != process) die("waitpid");
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                 | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, process, 0, options)) die("PTRACE_SEIZE");
  kill(process, SIGCONT);
  return process;
}

static void trace(pid_t process, int *ending) {
  while (true) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) return;
    if (!WIFSTOPPED(status)) {
      if (thread == process) *ending = status;
      continue;
    }
    int signal = WSTOPSIG(status), event = status >> 16, deliver = 0;
    if (signal == (SIGTRAP | 0x80)) {
      struct __ptrace_syscall_info info;
      if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) > 0) {
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY && entered(process, thread, &info)) continue;
        if (info.op == PTRACE_SYSCALL_INFO_EXIT) left(thread);
      }
    } else if (event == PTRACE_EVENT_STOP) {
      if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
        ptrace(PTRACE_LISTEN, thread, 0, 0);
        continue;
      }
    } else if (!event) {
      deliver = signal;
    }
    ptrace(PTRACE_SYSCALL, thread, 0, deliver);
  }
}

int main(int count, char **words) {
  int i = 1;
  for (; i + 1 < count && strcmp(words[i], "--"); i += 2) {
    if (!strcmp(words[i], "--folder") && folder_count < most) folders[folder_count++] = words[i + 1];
    else if (!strcmp(words[i], "--rule")) add_rule(words[i + 1]);
    else if (!strcmp(words[i], "--log")) report = fopen(words[i + 1], "we");
    else break;
  }
  if (i + 1 >= count || strcmp(words[i], "--") || !report || !folder_count) {
    fprintf(stderr, "usage: call-striker --folder PATH… --log FILE [--rule …]… -- PROGRAM …\n");
    return 125;
  }
  signal(SIGINT, SIG_IGN);
  int ending = 0;
  trace(start(words + i + 1), &ending);
  fclose(report);
  if (WIFSIGNALED(ending)) {
    signal(WTERMSIG(ending), SIG_DFL);
    kill(getpid(), WTERMSIG(ending));
    pause();
  }
  return WEXITSTATUS(ending);
}
