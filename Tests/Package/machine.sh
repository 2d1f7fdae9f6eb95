#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts the systemd of a root tree as init in separate namespaces, and runs a script there: machine.sh TREE SCRIPT
# [WORD...] The exit status is the script's, or 77 if systemd cannot be started. Needs root and a writable cgroup2.
set -eu
tree=$(realpath "$1")
cp "$2" "$tree/check.sh"
shift 2
echo "127.0.0.1 localhost" >"$tree/etc/hosts"
rm -f "$tree/status" "$tree/etc/systemd/system/check.service"
cat >"$tree/etc/systemd/system/check.service" <<UNIT
[Unit]
DefaultDependencies=no
After=basic.target
[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive
ExecStart=/bin/sh -c 'sh /check.sh $* >/check.log 2>&1; echo \$\$? >/status.part; mv /status.part /status'
UNIT
cat >"$tree/etc/systemd/system/check.target" <<UNIT
[Unit]
Requires=basic.target check.service
After=basic.target
AllowIsolate=yes
UNIT
group=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/gpsbridge-package-$$
mkdir "$group" 2>/dev/null || exit 77
finish() {
    set +e
    echo 1 >"$group/cgroup.kill" 2>/dev/null
    wait
    for try in $(seq 50); do
        find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
        [ -d "$group" ] || break
        sleep 0.1
    done
    rm -f "$tree/start.sh"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
cat >"$tree/start.sh" <<'START'
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
touch dev/console
mount --bind "$(tty)" dev/console
# dpkg and apt still find the network of the other namespace's packages in their cache.
export container=test
# A process in a chroot may not create user namespaces, which services use.
mkdir -p old
pivot_root . old
umount -l old
exec /lib/systemd/systemd --system --unit=check.target --log-target=console --show-status=0
START
cat >"$tree/enter.sh" <<ENTER
echo \$\$ >"$group/cgroup.procs" || exit
exec unshare --pid --mount --fork --net --uts --ipc --cgroup --kill-child sh "$tree/start.sh" "$tree"
ENTER
script -qec "sh '$tree/enter.sh'" "$tree/console.log" </dev/null >/dev/null 2>&1 &
waited=0
until [ -e "$tree/status" ]; do
    kill -0 $! 2>/dev/null || break
    sleep 1
    waited=$((waited + 1))
    [ $waited -lt 180 ] || break
done
cat "$tree/check.log" 2>/dev/null || true
[ -e "$tree/status" ] || {
    grep -q 'running in system mode' "$tree/console.log" || exit 77
    tail -n 40 "$tree/console.log" >&2
    exit 1
}
[ "$(cat "$tree/status")" = 0 ] || grep -v "Job check.service" "$tree/console.log" | tail -n 20 >&2
exit "$(cat "$tree/status")"
