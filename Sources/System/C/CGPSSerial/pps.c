// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cpps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/pps.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

int cpps_open(const char *path, bool clear)
{
    int modes = 0, error = ENOTTY;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (ioctl(fd, PPS_GETCAP, &modes) == 0 && (modes & PPS_CANWAIT) != 0) {
        if (capture(fd, modes, clear ? PPS_CAPTURECLEAR : PPS_CAPTUREASSERT))
            return fd;
        error = EOPNOTSUPP;
    }
    close(fd);
    errno = error;
    return -1;
}

int cpps_fetch(int fd, int seconds, bool clear, struct cpps_edge *edge)
{
    struct pps_fdata data;

    memset(&data, 0, sizeof data);
    data.timeout.sec = seconds;
    if (ioctl(fd, PPS_FETCH, &data) != 0)
        return -1;
    edge->seconds = clear ? data.info.clear_tu.sec : data.info.assert_tu.sec;
    edge->nanoseconds = clear ? data.info.clear_tu.nsec : data.info.assert_tu.nsec;
    edge->sequence = clear ? data.info.clear_sequence : data.info.assert_sequence;
    return 0;
}

/* Pulses time-stamped by a thread. */

struct cpps_line {
    int fd;
    bool clear;
    void (*handle)(void *context, struct cpps_edge edge);
    void *context;
    pthread_t thread;
};

bool cpps_is_tty(const char *path)
{
    struct stat status;
    char link[64], subsystem[PATH_MAX];
    ssize_t length;

    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode))
        return false;
    snprintf(link, sizeof link, "/sys/dev/char/%u:%u/subsystem", major(status.st_rdev),
             minor(status.st_rdev));
    length = readlink(link, subsystem, sizeof subsystem);
    return length >= 4 && memcmp(subsystem + length - 4, "/tty", 4) == 0;
}

static void *watch(void *argument)
{
    struct cpps_line *line = argument;
    uint32_t sequence = 0;
    int waited, modem = 0, former;
    struct timespec now;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &former);
    for (;;) {
        /* Only a signal ends the wait, and cancelling sends one. */
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &former);
        waited = ioctl(line->fd, TIOCMIWAIT, TIOCM_CD);
        clock_gettime(CLOCK_REALTIME, &now);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
        if (waited != 0 && errno == EINTR)
            continue;
        if (waited != 0 || ioctl(line->fd, TIOCMGET, &modem) != 0)
            return NULL;
        if (((modem & TIOCM_CD) == 0) != line->clear)
            continue;
        sequence += 1;
        line->handle(line->context, (struct cpps_edge){
            .seconds = now.tv_sec, .nanoseconds = (int32_t)now.tv_nsec, .sequence = sequence});
    }
}

struct cpps_line *cpps_watch(int fd, bool clear, void (*handle)(void *context, struct cpps_edge edge),
                             void *context)
{
    struct cpps_line *line;
    sigset_t all, former;
    int modem, error;

    if (ioctl(fd, TIOCMGET, &modem) != 0) {
        errno = ENOTTY;
        return NULL;
    }
    line = calloc(1, sizeof *line);
    if (line == NULL)
        return NULL;
    *line = (struct cpps_line){.clear = clear, .handle = handle, .context = context};
    line->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    /* Other threads handle signals. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    error = line->fd < 0 ? errno : pthread_create(&line->thread, NULL, watch, line);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    if (error == 0) {
        pthread_setname_np(line->thread, "gps-pps");
        return line;
    }
    if (line->fd >= 0)
        close(line->fd);
    free(line);
    errno = error;
    return NULL;
}

void cpps_unwatch(struct cpps_line *line)
{
    pthread_cancel(line->thread);
    pthread_join(line->thread, NULL);
    close(line->fd);
    free(line);
}
