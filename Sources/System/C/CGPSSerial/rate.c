// SPDX-License-Identifier: MIT
#include "rate.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>

/* <sys/ioctl.h> would also define the other struct termios. */
int ioctl(int fd, unsigned long request, ...);

int rate_set(int fd, unsigned rate)
{
    struct termios2 settings;
    if (ioctl(fd, TCGETS2, &settings) != 0)
        return -1;
    settings.c_cflag &= ~(CBAUD | CBAUD << IBSHIFT);
    settings.c_cflag |= BOTHER; /* input: the same, as CIBAUD is 0 */
    settings.c_ispeed = settings.c_ospeed = rate;
    return ioctl(fd, TCSETS2, &settings);
}

unsigned rate_get(int fd)
{
    struct termios2 settings;
    return ioctl(fd, TCGETS2, &settings) == 0 ? settings.c_ospeed : 0;
}
