// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "crelay.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The longest datagram; chronyd's have 40 bytes. */
#define LONGEST 256

/* Gives up every capability but that of writing to files of others. */
static void limit_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    const uint32_t wanted = 1u << CAP_DAC_OVERRIDE;

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_capget, &header, data) != 0) return;
    data[0] = (struct __user_cap_data_struct){
        .effective = data[0].effective & wanted, .permitted = data[0].permitted & wanted};
    data[1] = (struct __user_cap_data_struct){0};
    syscall(SYS_capset, &header, data);
}

/* Only what a signal handler may call: other threads may have held locks when this process was made. */
static void relay(int channel, const struct sockaddr_un *address) __attribute__((noreturn));
static void relay(int channel, const struct sockaddr_un *address)
{
    sigset_t all;
    unsigned char packet[LONGEST];

    /* Its end is that of the other process, which finishes its work first. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    /* What else is open belongs to the other process alone. */
    if (dup2(channel, 0) < 0) _exit(1);
    if (close_range(1, ~0U, 0) != 0)
        for (int other = 1; other < 65536; other++) close(other);
    prctl(PR_SET_NAME, "gpsbridge-relay", 0, 0, 0);
    limit_rights();
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    for (;;) {
        ssize_t count = recv(0, packet, sizeof packet, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        int error = 0;
        if (sendto(fd, packet, (size_t)count, 0, (const struct sockaddr *)address, sizeof *address) < 0)
            error = errno;
        send(0, &error, sizeof error, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}

int crelay_start(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int ends[2];

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        /* The system waits for the end of a process whose parent is gone. */
        pid_t own = fork();
        if (own != 0) _exit(own < 0 ? errno : 0);
        relay(ends[1], &address);
    }
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    if (child > 0) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        if (WIFEXITED(status)) error = WEXITSTATUS(status);
    }
    if (error == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return ends[0];
    if (error == 0) error = errno;
    close(ends[0]);
    errno = error;
    return -1;
}
