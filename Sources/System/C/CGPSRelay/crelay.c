// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "crelay.h"
#include "helper.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The longest datagram; chronyd's have 40 bytes. */
#define LONGEST 256

static void relay(void *context)
{
    const struct sockaddr_un *address = context;
    unsigned char packet[LONGEST];
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

    for (;;) {
        ssize_t count = recv(0, packet, sizeof packet, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        int error = 0;
        if (sendto(fd, packet, (size_t)count, 0, (const struct sockaddr *)address, sizeof *address) < 0)
            error = errno;
        send(0, &error, sizeof error, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}

int crelay_start(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    return start_helper("gpsbridge-relay", relay, &address);
}
