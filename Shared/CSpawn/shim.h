#pragma once
#include <spawn.h>

// glibc has these, but shows them only under _GNU_SOURCE, which Swift's Glibc module is built without.
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
