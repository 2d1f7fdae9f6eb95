// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cpps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/pps.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cpps_open(const char *path)
{
    int modes = 0;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (ioctl(fd, PPS_GETCAP, &modes) == 0 && (modes & PPS_CANWAIT) != 0)
        return fd;
    close(fd);
    errno = ENOTTY;
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
