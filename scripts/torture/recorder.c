// Records what a process does to the files below one folder, and fails single calls, between the process and its C library
// (LD_PRELOAD). Node reaches the disk through libuv and SQLite through its own calls, so only a place below both sees
// everything.
//
// Environment:
//   OCTAVO_TRACE_ROOT  the folder; calls on other files pass untouched
//   OCTAVO_TRACE       a file per process, `${OCTAVO_TRACE}.${pid}`, gets one record per call (layout: trace.ts)
//   OCTAVO_FAIL_AT     the number of the changing call that fails, from 1; 0 fails none
//   OCTAVO_FAIL_UNTIL  the last call that fails; by default the one that OCTAVO_FAIL_AT names
//   OCTAVO_FAIL_ERRNO  what they fail with
//   OCTAVO_CALLS       a file of 8 bytes, mapped: the number of changing calls so far; the process may set it
//   OCTAVO_CLOCK       a file of 8 bytes, mapped: nanoseconds added to the wall clock
//
// A write is recorded after it has returned and a sync twice, before and after. So a sync covers a write only where the process
// could have known so too.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, WRITE_SYNCED, TRUNCATE, SYNC_BEGIN, SYNC_END, RENAME, UNLINK, MKDIR, RMDIR, CLOSE, LINK };

#define MOST_FILES 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int trace = -1;
static long fail_at, fail_until, fail_errno;
static volatile int64_t *calls, *clock_offset;
static int64_t own_calls;
static uint32_t next_file;
static uint32_t files[MOST_FILES]; // The number of each open descriptor; 0 for those outside of the root.
static uint8_t synced[MOST_FILES];

static void *map_counter(const char *name) {
  const char *path = getenv(name);
  if (path == NULL) return NULL;
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  void *at = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  return at == MAP_FAILED ? NULL : at;
}

__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("OCTAVO_TRACE_ROOT");
  if (folder != NULL) {
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
  }
  fail_at = getenv("OCTAVO_FAIL_AT") ? atol(getenv("OCTAVO_FAIL_AT")) : 0;
  fail_until = getenv("OCTAVO_FAIL_UNTIL") ? atol(getenv("OCTAVO_FAIL_UNTIL")) : fail_at;
  fail_errno = getenv("OCTAVO_FAIL_ERRNO") ? atol(getenv("OCTAVO_FAIL_ERRNO")) : EIO;
  calls = map_counter("OCTAVO_CALLS");
  clock_offset = map_counter("OCTAVO_CLOCK");
  const char *prefix = getenv("OCTAVO_TRACE");
  if (prefix != NULL && root_length > 0) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%d", prefix, (int)getpid());
    trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  }
}

static int64_t now(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Header of a record: total length, kind, file, two numbers, time; then bytes.
struct record {
  uint32_t length, kind, file, reserved;
  int64_t a, b, time;
};

static void put(uint32_t kind, uint32_t file, int64_t a, int64_t b, const struct iovec *parts, int count, size_t most) {
  if (trace < 0) return;
  size_t bytes = 0;
  struct iovec all[1026];
  int used = 1;
  for (int i = 0; i < count && bytes < most && used < 1026; i++) {
    size_t length = parts[i].iov_len;
    if (length > most - bytes) length = most - bytes;
    all[used].iov_base = parts[i].iov_base;
    all[used++].iov_len = length;
    bytes += length;
  }
  struct record head = {(uint32_t)(sizeof head + bytes), kind, file, 0, a, b, now()};
  all[0].iov_base = &head;
  all[0].iov_len = sizeof head;
  ssize_t written = syscall(SYS_writev, trace, all, used);
  if (written != (ssize_t)(sizeof head + bytes)) {
    // Half a record would make all that follow unreadable.
    static const char text[] = "recorder: the trace cannot be written\n";
    syscall(SYS_write, 2, text, sizeof text - 1);
    _exit(99);
  }
}

static void put_text(uint32_t kind, uint32_t file, int64_t a, int64_t b, const char *text) {
  struct iovec part = {(void *)text, strlen(text)};
  put(kind, file, a, b, &part, 1, SIZE_MAX);
}

// The path below the root, or NULL for others. `out` must hold PATH_MAX bytes.
static const char *inside(int folder, const char *path, char *out) {
  if (root_length == 0 || path == NULL) return NULL;
  char whole[PATH_MAX * 2];
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    char base[PATH_MAX];
    if (folder == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) return NULL;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return NULL;
      base[length] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  }
  if (strncmp(whole, root, root_length) != 0) return NULL;
  if (whole[root_length] == 0) {
    out[0] = 0;
    return out;
  }
  if (whole[root_length] != '/') return NULL;
  size_t at = 0;
  for (const char *from = whole + root_length + 1; *from != 0; from++) {
    if (*from == '/' && (from[1] == '/' || from[1] == 0)) continue;
    if (from[0] == '.' && from[1] == '/' && (at == 0 || out[at - 1] == '/')) {
      from++;
      continue;
    }
    out[at++] = *from;
  }
  out[at] = 0;
  return out;
}

static int is_ours(int fd) { return fd >= 0 && fd < MOST_FILES && files[fd] != 0; }

// Counts a changing call; true where it has to fail. To be called under the lock.
static int must_fail(void) {
  int64_t n = calls != NULL ? ++*calls : ++own_calls;
  if (fail_at == 0 || n < fail_at || n > fail_until) return 0;
  errno = (int)fail_errno;
  return 1;
}


static int opened(int folder, const char *path, int flags, mode_t mode) {
  char text[PATH_MAX];
  const char *name = inside(folder, path, text);
  if (name == NULL) {
    int other = syscall(SYS_openat, folder, path, flags, mode);
    // libuv closes files by the system call itself, so this may be the number of one of ours.
    if (is_ours(other)) files[other] = 0;
    return other;
  }
  pthread_mutex_lock(&lock);
  int fd = -1;
  struct stat seen;
  int is_new = (flags & O_CREAT) != 0 && fstatat(folder, path, &seen, 0) != 0;
  if (!((flags & (O_CREAT | O_TRUNC)) != 0 && must_fail())) fd = syscall(SYS_openat, folder, path, flags, mode);
  int error = errno;
  if (fd >= 0 && fd < MOST_FILES) {
    files[fd] = ++next_file;
    synced[fd] = (flags & O_DSYNC) != 0;
    put_text(OPEN, next_file, flags, is_new, name);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

#define MODE(flags)                                        \
  mode_t mode = 0;                                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                 \
    va_list rest;                                          \
    va_start(rest, flags);                                 \
    mode = va_arg(rest, mode_t);                           \
    va_end(rest);                                          \
  }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (is_ours(fd)) {
    pthread_mutex_lock(&lock);
    put(CLOSE, files[fd], 0, 0, NULL, 0, 0);
    files[fd] = 0;
    pthread_mutex_unlock(&lock);
  }
  return syscall(SYS_close, fd);
}

static ssize_t written(int fd, const struct iovec *parts, int count, int64_t offset) {
  if (!is_ours(fd)) {
    return offset < 0 ? syscall(SYS_writev, fd, parts, count)
                      : syscall(SYS_pwritev, fd, parts, count, (long)offset, (long)(offset >> 32));
  }
  pthread_mutex_lock(&lock);
  ssize_t n = -1;
  int64_t at = offset;
  if (offset < 0) {
    int flags = syscall(SYS_fcntl, fd, F_GETFL);
    at = syscall(SYS_lseek, fd, 0, (flags & O_APPEND) != 0 ? SEEK_END : SEEK_CUR);
    if (at < 0) {
      // libuv closes files by the system call itself, so a socket may have got the number of one.
      files[fd] = 0;
      pthread_mutex_unlock(&lock);
      return syscall(SYS_writev, fd, parts, count);
    }
  }
  if (!must_fail())
    n = offset < 0 ? syscall(SYS_writev, fd, parts, count)
                   : syscall(SYS_pwritev, fd, parts, count, (long)offset, (long)(offset >> 32));
  int error = errno;
  if (n > 0) put(synced[fd] ? WRITE_SYNCED : WRITE, files[fd], at, n, parts, count, n);
  pthread_mutex_unlock(&lock);
  errno = error;
  return n;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (!is_ours(fd)) return syscall(SYS_write, fd, bytes, length);
  struct iovec part = {(void *)bytes, length};
  return written(fd, &part, 1, -1);
}
ssize_t writev(int fd, const struct iovec *parts, int count) { return written(fd, parts, count, -1); }
static ssize_t written_at(int fd, const void *bytes, size_t length, int64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return written(fd, &part, 1, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return written_at(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return written_at(fd, bytes, length, offset); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return written(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return written(fd, parts, count, offset); }
ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t offset, int flags) { (void)flags; return written(fd, parts, count, offset); }
ssize_t pwritev64v2(int fd, const struct iovec *parts, int count, off64_t offset, int flags) { (void)flags; return written(fd, parts, count, offset); }

// Copies between files become reads and writes: both of Node's ways of copying can do without these calls.
ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t length, unsigned flags) {
  if (is_ours(out)) {
    errno = ENOSYS;
    return -1;
  }
  return syscall(SYS_copy_file_range, in, in_at, out, out_at, length, flags);
}
static ssize_t sent(int out, int in, off64_t *at, size_t length) {
  if (!is_ours(out)) return syscall(SYS_sendfile, out, in, at, length);
  char bytes[65536];
  ssize_t n = pread(in, bytes, length < sizeof bytes ? length : sizeof bytes, at == NULL ? 0 : *at);
  if (n <= 0) return n;
  n = write(out, bytes, n);
  if (n > 0 && at != NULL) *at += n;
  return n;
}
ssize_t sendfile(int out, int in, off_t *at, size_t length) { return sent(out, in, at, length); }
ssize_t sendfile64(int out, int in, off64_t *at, size_t length) { return sent(out, in, at, length); }

static int truncated(int fd, int64_t length) {
  if (!is_ours(fd)) return syscall(SYS_ftruncate, fd, length);
  pthread_mutex_lock(&lock);
  int result = must_fail() ? -1 : syscall(SYS_ftruncate, fd, length);
  int error = errno;
  if (result == 0) put(TRUNCATE, files[fd], length, 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }
static int truncated_path(const char *path, int64_t length) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  int result = truncated(fd, length);
  int error = errno;
  close(fd);
  errno = error;
  return result;
}
int truncate(const char *path, off_t length) { return truncated_path(path, length); }
int truncate64(const char *path, off64_t length) { return truncated_path(path, length); }

// Space that is reserved is zeros for the model: only a longer file can be told from a shorter one.
static int reserved(int fd, int mode, int64_t offset, int64_t length) {
  if (!is_ours(fd)) return syscall(SYS_fallocate, fd, mode, offset, length);
  pthread_mutex_lock(&lock);
  struct stat seen;
  int result = must_fail() ? -1 : syscall(SYS_fallocate, fd, mode, offset, length);
  int error = errno;
  if (result == 0 && (mode & FALLOC_FL_KEEP_SIZE) == 0 && fstat(fd, &seen) == 0)
    put(TRUNCATE, files[fd], seen.st_size, 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int fallocate(int fd, int mode, off_t offset, off_t length) { return reserved(fd, mode, offset, length); }
int fallocate64(int fd, int mode, off64_t offset, off64_t length) { return reserved(fd, mode, offset, length); }
int posix_fallocate(int fd, off_t offset, off_t length) { return reserved(fd, 0, offset, length) == 0 ? 0 : errno; }
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return reserved(fd, 0, offset, length) == 0 ? 0 : errno; }

// Syncs run outside of the lock: other threads write meanwhile, as they would without the recorder.
static int synced_file(int fd, long call) {
  if (!is_ours(fd)) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  uint32_t file = files[fd];
  int fails = must_fail();
  int error = errno;
  if (!fails) put(SYNC_BEGIN, file, 0, 0, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  int result = -1;
  if (!fails) {
    result = syscall(call, fd);
    error = errno;
  }
  if (result == 0) {
    pthread_mutex_lock(&lock);
    put(SYNC_END, file, 0, 0, NULL, 0, 0);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return result;
}
int fsync(int fd) { return synced_file(fd, SYS_fsync); }
int fdatasync(int fd) { return synced_file(fd, SYS_fdatasync); }

static int named(uint32_t kind, int folder, const char *path, int to_folder, const char *to, int flags) {
  char from_text[PATH_MAX], to_text[PATH_MAX], both[PATH_MAX * 2];
  const char *from_name = inside(folder, path, from_text);
  const char *to_name = to == NULL ? NULL : inside(to_folder, to, to_text);
  int ours = from_name != NULL || to_name != NULL;
  if (ours) pthread_mutex_lock(&lock);
  int result = -1;
  if (!ours || !must_fail()) {
    if (kind == RENAME) result = syscall(SYS_renameat2, folder, path, to_folder, to, flags);
    else if (kind == LINK) result = syscall(SYS_linkat, folder, path, to_folder, to, flags);
    else if (kind == UNLINK) result = syscall(SYS_unlinkat, folder, path, 0);
    else if (kind == RMDIR) result = syscall(SYS_unlinkat, folder, path, AT_REMOVEDIR);
    else result = syscall(SYS_mkdirat, folder, path, flags);
  }
  int error = errno;
  if (ours && result == 0) {
    size_t length = snprintf(both, sizeof both, "%s", from_name == NULL ? "" : from_name) + 1;
    length += snprintf(both + length, sizeof both - length, "%s", to_name == NULL ? "" : to_name);
    struct iovec part = {both, length};
    put(kind, 0, from_name != NULL, to_name != NULL, &part, 1, SIZE_MAX);
  }
  if (ours) pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int rename(const char *from, const char *to) { return named(RENAME, AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int f, const char *from, int t, const char *to) { return named(RENAME, f, from, t, to, 0); }
int renameat2(int f, const char *from, int t, const char *to, unsigned flags) { return named(RENAME, f, from, t, to, flags); }
int link(const char *from, const char *to) { return named(LINK, AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int f, const char *from, int t, const char *to, int flags) { return named(LINK, f, from, t, to, flags); }
int unlink(const char *path) { return named(UNLINK, AT_FDCWD, path, 0, NULL, 0); }
int unlinkat(int folder, const char *path, int flags) { return named((flags & AT_REMOVEDIR) != 0 ? RMDIR : UNLINK, folder, path, 0, NULL, 0); }
int rmdir(const char *path) { return named(RMDIR, AT_FDCWD, path, 0, NULL, 0); }
int mkdir(const char *path, mode_t mode) { return named(MKDIR, AT_FDCWD, path, 0, NULL, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return named(MKDIR, folder, path, 0, NULL, mode); }

int clock_gettime(clockid_t clock, struct timespec *out) {
  int result = syscall(SYS_clock_gettime, clock, out);
  if (result == 0 && clock_offset != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t t = (int64_t)out->tv_sec * 1000000000 + out->tv_nsec + *clock_offset;
    out->tv_sec = t / 1000000000;
    out->tv_nsec = t % 1000000000;
  }
  return result;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  (void)zone;
  struct timespec t;
  if (clock_gettime(CLOCK_REALTIME, &t) != 0) return -1;
  out->tv_sec = t.tv_sec;
  out->tv_usec = t.tv_nsec / 1000;
  return 0;
}
