/* A folder with two files: `disk`, an image that keeps a log of every write and flush, and `mark`.
 *
 *   block-log IMAGE LOG -f -s MOUNTPOINT
 *
 * Each entry of the log is a header of three numbers of 8 bytes, little-endian: kind, offset, length. Kinds: 1, a write
 * of `disk`, whose bytes follow; 2, a flush of `disk`; 3, somebody wrote to `mark`. Built with libfuse3:
 *
 *   cc -o block-log block-log.c $(pkg-config --cflags --libs fuse3) */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int image, journal;

static int record(uint64_t kind, uint64_t offset, uint64_t length, const char *bytes) {
  uint64_t header[3] = {kind, offset, length};
  if (write(journal, header, sizeof header) != (ssize_t)sizeof header) return -EIO;
  if (bytes && write(journal, bytes, length) != (ssize_t)length) return -EIO;
  return 0;
}

static int is_disk(const char *path) { return !strcmp(path, "/disk"); }
static int is_mark(const char *path) { return !strcmp(path, "/mark"); }

static int disk_getattr(const char *path, struct stat *facts, struct fuse_file_info *file) {
  (void)file;
  memset(facts, 0, sizeof *facts);
  if (!strcmp(path, "/")) {
    facts->st_mode = S_IFDIR | 0755;
    facts->st_nlink = 2;
    return 0;
  }
  if (!is_disk(path) && !is_mark(path)) return -ENOENT;
  facts->st_mode = S_IFREG | 0600;
  facts->st_nlink = 1;
  facts->st_size = is_disk(path) ? lseek(image, 0, SEEK_END) : 0;
  return 0;
}

static int disk_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                        struct fuse_file_info *file, enum fuse_readdir_flags flags) {
  (void)path, (void)offset, (void)file, (void)flags;
  fill(buffer, "disk", NULL, 0, 0);
  fill(buffer, "mark", NULL, 0, 0);
  return 0;
}

static int disk_open(const char *path, struct fuse_file_info *file) {
  file->keep_cache = 0;
  return is_disk(path) || is_mark(path) ? 0 : -ENOENT;
}

static int disk_truncate(const char *path, off_t size, struct fuse_file_info *file) {
  (void)size, (void)file;
  return is_mark(path) ? 0 : -EPERM;
}

static int disk_read(const char *path, char *bytes, size_t count, off_t offset, struct fuse_file_info *file) {
  (void)file;
  ssize_t done = is_disk(path) ? pread(image, bytes, count, offset) : 0;
  return done < 0 ? -errno : (int)done;
}

static int disk_write(const char *path, const char *bytes, size_t count, off_t offset, struct fuse_file_info *file) {
  (void)file;
  if (is_mark(path)) return record(3, 0, 0, NULL) ? -EIO : (int)count;
  if (record(1, (uint64_t)offset, count, bytes)) return -EIO;
  ssize_t done = pwrite(image, bytes, count, offset);
  return done < 0 ? -errno : (int)done;
}

static int disk_fsync(const char *path, int is_data, struct fuse_file_info *file) {
  (void)is_data, (void)file;
  return is_disk(path) ? record(2, 0, 0, NULL) : 0;
}

static int disk_fallocate(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *file) {
  (void)path, (void)mode, (void)offset, (void)length, (void)file;
  return -EOPNOTSUPP;
}

static const struct fuse_operations operations = {
    .getattr = disk_getattr, .readdir = disk_readdir, .open = disk_open, .truncate = disk_truncate,
    .read = disk_read, .write = disk_write, .fsync = disk_fsync, .fallocate = disk_fallocate,
};

int main(int count, char **words) {
  if (count < 4) return 2;
  image = open(words[1], O_RDWR | O_CLOEXEC);
  journal = open(words[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (image < 0 || journal < 0) return 2;
  words[2] = words[0];
  return fuse_main(count - 2, words + 2, &operations, NULL);
}
