// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cpps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/pps.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* Pulses time-stamped by the kernel. */

/* Makes a device capture an edge as well. Another program may have disabled it. */
static bool capture(int fd, int modes, int edge)
{
    struct pps_kparams params;

    if ((modes & edge) == 0)
        return false;
    memset(&params, 0, sizeof params);
    if (ioctl(fd, PPS_GETPARAMS, &params) != 0 || (params.mode & edge) != 0)
        return true;
    params.mode |= edge;
    return ioctl(fd, PPS_SETPARAMS, &params) == 0;
}

int cpps_open(const char *path, int *edges)
{
    int modes = 0, error = ENOTTY;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (ioctl(fd, PPS_GETCAP, &modes) == 0 && (modes & PPS_CANWAIT) != 0) {
        if ((*edges & CPPS_ASSERT) != 0 && !capture(fd, modes, PPS_CAPTUREASSERT))
            *edges &= ~CPPS_ASSERT;
        if ((*edges & CPPS_CLEAR) != 0 && !capture(fd, modes, PPS_CAPTURECLEAR))
            *edges &= ~CPPS_CLEAR;
        if (*edges != 0)
            return fd;
        error = EOPNOTSUPP;
    }
    close(fd);
    errno = error;
    return -1;
}

int cpps_fetch(int fd, int seconds, struct cpps_edge *assert, struct cpps_edge *clear)
{
    struct pps_fdata data;

    memset(&data, 0, sizeof data);
    data.timeout.sec = seconds;
    if (ioctl(fd, PPS_FETCH, &data) != 0)
        return -1;
    assert->seconds = data.info.assert_tu.sec;
    assert->nanoseconds = data.info.assert_tu.nsec;
    assert->sequence = data.info.assert_sequence;
    clear->seconds = data.info.clear_tu.sec;
    clear->nanoseconds = data.info.clear_tu.nsec;
    clear->sequence = data.info.clear_sequence;
    return 0;
}

/* The clocks. */

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t cpps_now(void)
{
    return nanoseconds(CLOCK_BOOTTIME);
}

int64_t cpps_clock_offset(void)
{
    int64_t shortest = INT64_MAX, offset = 0;

    /* The two clocks are read one after the other, and the thread may be interrupted between. */
    for (int reading = 0; reading < 5; reading++) {
        int64_t before = cpps_now(), clock = nanoseconds(CLOCK_REALTIME), after = cpps_now();

        if (after - before < shortest) {
            shortest = after - before;
            offset = clock - before - (after - before) / 2;
        }
    }
    return offset;
}

void cpps_sleep_precisely(void)
{
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

bool cpps_sleep(int wake, int64_t until)
{
    /* poll() adds a slack of a thousandth, so it ends before the time, and the rest is slept precisely. */
    const int64_t early = 3000000;
    struct pollfd end = {.fd = wake, .events = POLLIN};
    int64_t left = until == INT64_MAX ? until : until - cpps_now();
    struct timespec time;
    int count;

    while (left > early) {
        time.tv_sec = (left - early) / 1000000000;
        time.tv_nsec = (left - early) % 1000000000;
        count = ppoll(&end, 1, until == INT64_MAX ? NULL : &time, NULL);
        if (count > 0 || (count < 0 && errno != EINTR))
            return false;
        left = until - cpps_now();
    }
    time.tv_sec = until / 1000000000;
    time.tv_nsec = until % 1000000000;
    while (left > 0 && clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, NULL) == EINTR)
        ;
    return true;
}

int cpps_hold_latency(int microseconds)
{
    int32_t value = microseconds;
    int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

    if (fd >= 0 && write(fd, &value, sizeof value) != sizeof value) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/* The lines of a tty. */

static bool has_link(const char *path, const char *end)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target), size = (ssize_t)strlen(end);

    return length >= size && memcmp(target + length - size, end, (size_t)size) == 0;
}

bool cpps_is_tty(const char *path)
{
    struct stat status;
    char link[64];

    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode))
        return false;
    snprintf(link, sizeof link, "/sys/dev/char/%u:%u/subsystem", major(status.st_rdev),
             minor(status.st_rdev));
    return has_link(link, "/tty");
}

bool cpps_is_usb(int fd)
{
    struct stat status;
    char link[64];

    if (fstat(fd, &status) != 0)
        return false;
    snprintf(link, sizeof link, "/sys/dev/char/%u:%u/device/subsystem", major(status.st_rdev),
             minor(status.st_rdev));
    return has_link(link, "/usb") || has_link(link, "/usb-serial");
}

void cpps_driver(int fd, char *name, unsigned long size)
{
    struct stat status;
    char link[64], target[PATH_MAX];
    ssize_t length = -1;

    if (fstat(fd, &status) == 0) {
        snprintf(link, sizeof link, "/sys/dev/char/%u:%u/device/driver", major(status.st_rdev),
                 minor(status.st_rdev));
        length = readlink(link, target, sizeof target - 1);
    }
    target[length < 0 ? 0 : length] = '\0';
    snprintf(name, size, "%s", strrchr(target, '/') != NULL ? strrchr(target, '/') + 1 : "");
}

int cpps_read(int fd, struct cpps_levels *levels)
{
    int modem = 0;

    levels->start = cpps_now();
    if (ioctl(fd, TIOCMGET, &modem) != 0)
        return errno;
    levels->end = cpps_now();
    levels->lines = (uint32_t)modem;
    return 0;
}

/* Changes time-stamped by a thread. */

struct cpps_watch {
    int fd;
    unsigned lines;
    void (*handle)(void *context, int error, struct cpps_levels levels);
    void *context;
    pthread_t thread;
};

static void *watch(void *argument)
{
    struct cpps_watch *line = argument;
    struct cpps_levels levels;
    int error, former;
    int64_t woken;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &former);
    cpps_sleep_precisely();
    /* The levels before the first change. */
    error = cpps_read(line->fd, &levels);
    while (error == 0) {
        line->handle(line->context, 0, levels);
        do {
            /* Only a signal ends the wait, and cancelling sends one. */
            pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &former);
            error = ioctl(line->fd, TIOCMIWAIT, line->lines) == 0 ? 0 : errno;
            woken = cpps_now();
            pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
        } while (error == EINTR);
        if (error == 0)
            error = cpps_read(line->fd, &levels);
        levels.start = woken;
    }
    line->handle(line->context, error, levels);
    return NULL;
}

struct cpps_watch *cpps_watch(int fd, unsigned lines,
                              void (*handle)(void *context, int error, struct cpps_levels levels), void *context)
{
    struct cpps_watch *line = calloc(1, sizeof *line);
    sigset_t all, former;
    int error;

    if (line == NULL)
        return NULL;
    *line = (struct cpps_watch){.fd = fd, .lines = lines, .handle = handle, .context = context};
    /* Other threads handle signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    error = pthread_create(&line->thread, NULL, watch, line);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    if (error == 0) {
        pthread_setname_np(line->thread, "gps-pps-wait");
        return line;
    }
    free(line);
    errno = error;
    return NULL;
}

void cpps_unwatch(struct cpps_watch *line)
{
    pthread_cancel(line->thread);
    pthread_join(line->thread, NULL);
    free(line);
}
