// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "crelay.h"
#include "helper.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    char *folder;
    const char *name;
    struct stat status;
    int directory; /* the open folder; -1 if the path leads to another file by now */
};

struct entries {
    size_t count;
    struct entry list[];
};

static int is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_mode == other->st_mode;
}

/* Opens the folder. Also opens the file and never closes it, so that its inode number is not used again. */
static int open_folder(const struct entry *entry)
{
    struct stat status;
    int folder = open(entry->folder, O_PATH | O_DIRECTORY);
    int file = folder < 0 ? -1 : openat(folder, entry->name, O_PATH | O_NOFOLLOW);
    return file >= 0 && fstat(file, &status) == 0 && is_same(&status, &entry->status) ? folder : -1;
}

static void remove_at_end(void *context)
{
    struct entries *entries = context;
    struct entry *end = entries->list + entries->count;
    struct stat status;
    char byte;

    for (struct entry *entry = entries->list; entry < end; entry++) entry->directory = open_folder(entry);
    /* Data from the other process is ignored. */
    for (;;) {
        ssize_t count = recv(0, &byte, sizeof byte, 0);
        if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    for (struct entry *entry = entries->list; entry < end; entry++)
        if (entry->directory >= 0
            && fstatat(entry->directory, entry->name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && is_same(&status, &entry->status))
            unlinkat(entry->directory, entry->name, 0);
}

/* Fills in an entry for a path; returns 0 unless it is a socket or link of this user. */
static int describe(const char *path, struct entry *entry)
{
    if (lstat(path, &entry->status) != 0 || entry->status.st_uid != geteuid()) return 0;
    if (!S_ISSOCK(entry->status.st_mode) && !S_ISLNK(entry->status.st_mode)) return 0;
    const char *slash = strrchr(path, '/');
    entry->name = slash ? slash + 1 : path;
    /* Includes the slash, which may be the whole path. */
    entry->folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    return entry->folder != NULL;
}

int crelay_remove_at_end(const char *const *paths, size_t count)
{
    struct entries *entries = calloc(1, sizeof *entries + count * sizeof(struct entry));

    if (!entries) return -1;
    for (size_t i = 0; i < count; i++)
        entries->count += (size_t)describe(paths[i], &entries->list[entries->count]);
    int channel = start_helper("gpsbridge-tidy", remove_at_end, entries);
    int error = errno;
    for (size_t i = 0; i < entries->count; i++) free(entries->list[i].folder);
    free(entries);
    errno = error;
    return channel;
}
