// Runs a program with its standard output thrown away, and writes what it cost: the nanoseconds on the wall, those of
// processors, and the most kibibytes that it, or a child that it waited for, had resident. Ends as the program does.
//
// A small program of its own, so that the figures are not those of Python, and its memory is less than any other's.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long nanoseconds(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int count, char **words) {
  if (count < 2) return 127;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  struct timespec start, end;
  struct rusage usage;
  pid_t child;
  int status;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (posix_spawnp(&child, words[1], &actions, 0, words + 1, environ) != 0) return 127;
  if (wait4(child, &status, 0, &usage) != child) return 127;
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf(
      "%lld %lld %ld\n", nanoseconds(end) - nanoseconds(start),
      1000 * (microseconds(usage.ru_utime) + microseconds(usage.ru_stime)), usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
