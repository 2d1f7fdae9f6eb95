# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Runs a program, and stores its output in $output. If it fails after ten seconds or more, the machine has probably
# paused, so that the receiver seemed to be silent. Then it runs again, and the first failure is printed.
retrying() {
    for try in 1 2 3; do
        begin=$(date +%s)
        result=0
        output=$(timeout 600 "$@") || result=$?
        seconds=$(($(date +%s) - begin))
        # 124: it did not end. A pause does not explain that, and three times the limit would last half an hour.
        case $result in 0 | 124) break ;; esac
        [ $try -lt 3 ] && [ $seconds -ge 10 ] || break
        echo "again   $(basename "$1") ended with $result after $seconds s: $output" >&2
    done
    return $result
}
