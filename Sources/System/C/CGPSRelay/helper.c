// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "helper.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Drops all capabilities except CAP_DAC_OVERRIDE, which allows access to files of other users. */
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

static void become_helper(const char *name, int channel)
{
    sigset_t all;

    /* Signals are blocked: this process ends after the other one, which finishes its work first. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    /* All other descriptors belong to the other process. */
    if (dup2(channel, 0) < 0) _exit(1);
    if (close_range(1, ~0U, 0) != 0)
        for (int other = 1; other < 65536; other++) close(other);
    prctl(PR_SET_NAME, name, 0, 0, 0);
    limit_rights();
}

int start_helper(const char *name, void (*work)(void *context), void *context)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        /* A second fork: init reaps the helper, since its parent has ended. */
        pid_t own = fork();
        if (own != 0) _exit(own < 0 ? errno : 0);
        become_helper(name, ends[1]);
        work(context);
        _exit(0);
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
