/* SPDX-License-Identifier: MIT */
/*
 * A clock that a test advances, for an unmodified program: LD_PRELOAD loads this library before the C library.
 *
 * The program connects to the test's Unix socket, GPSBRIDGE_MANUAL_CLOCK. Its time stands still until the test sends
 * another one: nanoseconds since the start, as 8 bytes. When all threads have finished their work at that time, the
 * program answers with the next deadline. The thread "gps-poller" waits for deadlines, with epoll.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Noon of the day that the scripted receivers of Tests/GPSTestSupport report, on a machine that has run for a
 * while. */
static const int64_t date = 1774094400, uptime = 1000;
static const int64_t second = 1000000000;

static int test = -1;
static _Atomic int64_t now;
/* Threads that wait for something of other processes. */
static _Atomic int waiting;

__attribute__((constructor)) static void connect_to_test(void)
{
    const char *path = getenv("GPSBRIDGE_MANUAL_CLOCK");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (path == NULL || strlen(path) >= sizeof address.sun_path) return;
    strcpy(address.sun_path, path);
    test = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (test < 0) return;
    if (connect(test, (struct sockaddr *)&address, sizeof address) == 0) return;
    close(test);
    test = -1;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int is_manual = clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC;
    Dl_info caller;

    /* libdispatch uses this clock for waits in the kernel, and libmosquitto for its keep-alive requests. */
    if (clock == CLOCK_MONOTONIC && dladdr(__builtin_return_address(0), &caller) != 0 &&
        (strstr(caller.dli_fname, "libdispatch") != NULL || strstr(caller.dli_fname, "libmosquitto") != NULL))
        is_manual = 0;
    if (test < 0 || !is_manual) return (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec = (clock == CLOCK_REALTIME ? date : uptime) + now / second;
    time->tv_nsec = now % second;
    return 0;
}

static int is_polling_thread(void)
{
    char name[16] = "";

    return prctl(PR_GET_NAME, name) == 0 && strcmp(name, "gps-poller") == 0;
}

/* The kernel delivers data written to a pseudo terminal in the background; `poll` waits for that. */
static void receive_pending_bytes(void)
{
    for (int fd = 3; fd < 64; fd++) {
        struct pollfd terminal = {.fd = fd, .events = POLLIN};

        if (isatty(fd)) poll(&terminal, 1, 0);
    }
}

/* The number of these per user is small, and other tests may use all of them. */
int inotify_init1(int flags)
{
    int descriptor;

    waiting++;
    while ((descriptor = (int)syscall(SYS_inotify_init1, flags)) < 0 && errno == EMFILE && test >= 0)
        poll(NULL, 0, 10);
    waiting--;
    return descriptor;
}

/*
 * Returns a checksum of the other threads and of how often each has run; 0 if one is not asleep. If two consecutive
 * sums are equal, no thread has run in between.
 */
static uint64_t other_threads(void)
{
    uint64_t sum = waiting > 0 ? 0 : 14695981039346656037u;
    DIR *threads = opendir("/proc/self/task");
    struct dirent *thread;

    while (sum != 0 && (thread = readdir(threads)) != NULL) {
        char path[64], status[4096] = "";
        int fd;

        if (thread->d_name[0] == '.' || atoi(thread->d_name) == gettid()) continue;
        snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread->d_name);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        if (read(fd, status, sizeof status - 1) < 0) status[0] = 0;
        close(fd);
        const char *count = strstr(status, "voluntary_ctxt_switches:");
        if (strstr(status, "State:\tS") == NULL) count = NULL;
        if (count == NULL) sum = 0;
        for (; count != NULL && *count != 0; count++) sum = (sum ^ (uint8_t)*count) * 1099511628211u;
    }
    closedir(threads);
    return sum;
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout)
{
    static int is_answer_due;
    static uint64_t last_sum;
    int64_t end = timeout < 0 ? INT64_MAX : now + timeout * (second / 1000);

    if (test < 0 || timeout == 0 || !is_polling_thread())
        return epoll_pwait(epoll, events, count, timeout, NULL);
    for (;;) {
        struct pollfd both[] = {{.fd = epoll, .events = POLLIN}, {.fd = test, .events = POLLIN}};
        uint64_t sum = is_answer_due ? other_threads() : 0;
        int64_t next;
        int ready;

        if (is_answer_due) receive_pending_bytes();
        ready = epoll_pwait(epoll, events, count, 0, NULL);
        if (ready != 0) return ready;
        if (now >= end) return 0;
        if (is_answer_due && sum != 0 && sum == last_sum) {
            if (send(test, &end, sizeof end, MSG_NOSIGNAL) < 0) _exit(70);
            is_answer_due = 0;
        }
        last_sum = sum;
        /* While another thread runs, it may create work for this one. */
        poll(both, 2, !is_answer_due ? -1 : sum == 0 ? 1 : 0);
        if (both[1].revents == 0) continue;
        if (recv(test, &next, sizeof next, MSG_WAITALL) != sizeof next) _exit(70);
        now = next;
        is_answer_due = 1;
        last_sum = 0;
    }
}
