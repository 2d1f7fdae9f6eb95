/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "ccan.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(sizeof(struct ccan_filter) == sizeof(struct can_filter), "the same layout");

/* Returns the index of a CAN interface that is up; -1 with errno. */
static int find(const char *interface)
{
    struct ifreq request = {0};
    int fd, result = -1;

    if (strlen(interface) >= sizeof request.ifr_name) {
        errno = ENODEV;
        return -1;
    }
    strcpy(request.ifr_name, interface);
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (ioctl(fd, SIOCGIFHWADDR, &request) == 0) {
        if (request.ifr_hwaddr.sa_family != ARPHRD_CAN)
            errno = EPROTOTYPE;
        else if (ioctl(fd, SIOCGIFFLAGS, &request) == 0) {
            if (!(request.ifr_flags & IFF_UP))
                errno = ENETDOWN;
            else if (ioctl(fd, SIOCGIFINDEX, &request) == 0)
                result = request.ifr_ifindex;
        }
    }
    int reason = errno;
    close(fd);
    errno = reason;
    return result;
}

int ccan_open(const char *interface, const struct ccan_filter *filters, unsigned count)
{
    struct sockaddr_can address = {.can_family = AF_CAN};
    int fd, smallest = 1;

    address.can_ifindex = find(interface);
    if (address.can_ifindex < 0)
        return -1;
    fd = socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
    if (fd < 0)
        return -1;
    /* The queue of an interface has room for ten frames by default. A full one refuses frames without a sign
     * when there is room again, which the socket's own buffer has. */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &smallest, sizeof smallest);
    if (setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FILTER, filters, count * sizeof *filters) == 0
        && bind(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

int ccan_watch_interfaces(void)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}
