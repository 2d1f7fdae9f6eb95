# SPDX-License-Identifier: MIT
# Prints the thread sanitizer's reports, except those about what a Synchronization.Mutex guards or
# hands over, and fails if any is left. The last line counts both.
#
# Mutex waits in a part of the runtime that isn't instrumented. When one thread hands it to another
# that waits there, the sanitizer misses it, and takes the two turns for a race. Such a report has a
# closure of `withLock` in both stacks: only there the guarded value can be reached. It is told by its
# mangled type, an inout sending parameter (zYu) of a closure that doesn't escape (XE). A suppression
# would take one stack for enough and so hide what is touched without the lock. Delegation's own
# locks are pthread's, which the sanitizer sees; no report about them is left out.

/^WARNING: ThreadSanitizer/ {
    report = ""
    section = 0
    guarded = 0
    continuations = 0
    inside = 1
}
inside { report = report $0 "\n" }
# The first two stacks are those of the two accesses.
inside && /^  [^ ]/ { section++; seen = 0 }
inside && section <= 2 && !seen && /^    #[0-9]+ .*zYu[^ ]*XEfU/ { guarded++; seen = 1 }
# A continuation that one thread makes and another resumes, handed over under such a Mutex: both accesses are
# the standard library's own.
inside && section <= 2 && /^    #0 .*(\$sScc6resume|with(Unsafe|Checked)(Throwing)?Continuation)/ {
    continuations++
}
inside && /^SUMMARY: ThreadSanitizer/ {
    inside = 0
    if (continuations == 2 && section >= 2) { mutexes++; next }
    if (guarded == 2 && section >= 2) { mutexes++; next }
    printf "%s", report
    races++
}
END {
    if (inside) { printf "%s", report; races++ }
    printf "%d reports; %d about a Mutex left out\n", races, mutexes
    exit races > 0
}
