#!/bin/sh
# SPDX-License-Identifier: MIT
# Starts the installed unit and Debian's chrony.service under a systemd of its own, configured by the files that
# docs/service.md shows, and prints the output of `chronyc sources` when chronyd has selected the receiver.
#
#   service.sh COMMAND FOLDER           FOLDER must be empty; the logs of both services are written there
#
# Needs root, namespaces and a writable cgroup2; the exit status is 77 if systemd cannot be started. The clock of
# the machine is not changed (chronyd -x).
set -eu
here=$(realpath "$(dirname "$0")/../..")
work=$(realpath "$2")
mkdir -p "$work/units" "$work/etc" "$work/bin"
cp "$1" "$work/bin/gpsbridge"
cp /lib/systemd/system/chrony.service "$here/udev-rules/gpsbridge.service" "$here/udev-rules/gpsbridge.socket" "$work/units"
cp "$here/Tests/Clients/live.py" "$work"

# The files in the documentation. Each begins with its path.
awk -v root="$work" '/^    # \/etc\// { file = root $2 $3; sub(/#/, "", file); dir = file; sub(/\/[^\/]*$/, "", dir)
        system("mkdir -p " dir) }
    !/^    / { file = "" } file != "" { print substr($0, 5) >file }' "$here/docs/service.md"
cp -r "$work/etc/systemd/system/." "$work/units"
# The receiver is a program on a pseudo terminal.
sed -i 's|serve |serve /run/live --trust-any-time --time-delay 0.2 |' "$work/units/gpsbridge.service.d/"*.conf

for target in sysinit basic shutdown network time-sync umount; do
    printf '[Unit]\nDefaultDependencies=no\n' >"$work/units/$target.target"
done
cat >"$work/units/default.target" <<UNIT
[Unit]
DefaultDependencies=no
Wants=live.service chrony.service gpsbridge.service check.service
UNIT
cat >"$work/units/live.service" <<UNIT
[Service]
ExecStart=/usr/bin/python3 /mnt/live.py /run/live dialout
UNIT
# Restarts both. The time must arrive as before.
cat >"$work/units/check.service" <<UNIT
[Unit]
After=chrony.service gpsbridge.service
[Service]
Type=oneshot
ExecStart=/bin/sh /mnt/check.sh
UNIT
cat >"$work/check.sh" <<'CHECK'
selected() {
    for second in $(seq 150); do
        chronyc sources | grep -q '^#[*] GPS' && return
        sleep 1
    done
    { systemctl --no-pager status gpsbridge chrony; chronyc sources; } >/mnt/failed.part 2>&1
    mv /mnt/failed.part /mnt/failed.txt
    exit 1
}
selected
systemctl restart chrony
selected
{ ps -eo user,group,supgrp,args | grep '[g]psbridge serve'; chronyc sources; } >/mnt/sources.part
mv /mnt/sources.part /mnt/sources.txt
CHECK
cat >"$work/boot.sh" <<'BOOT'
set -e
mount --make-rprivate /
mount --bind "$1" /mnt
# Without the machine's own units: the service leaves receivers to a gpsd that is enabled there.
for folder in /run /var/lib /var/log /tmp /usr/local/bin /etc/systemd/system; do mount -t tmpfs -o mode=755 tmpfs $folder; done
mount -t proc proc /proc
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
cp /mnt/bin/gpsbridge /usr/local/bin
mount --bind /mnt/etc/chrony/conf.d /etc/chrony/conf.d
echo 'DAEMON_OPTS="-F 1 -x"' >/mnt/default
mount --bind /mnt/default /etc/default/chrony
mount --bind "$(tty)" /dev/console
export container=test SYSTEMD_UNIT_PATH=/mnt/units
exec /lib/systemd/systemd --system --log-target=console --default-standard-output=tty --show-status=0
BOOT
group=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/gpsbridge-test-$$
mkdir "$group" 2>/dev/null || exit 77
cat >"$work/start.sh" <<START
echo \$\$ >"$group/cgroup.procs" || exit
exec unshare --pid --mount --fork --net --uts --ipc --cgroup --kill-child sh "$work/boot.sh" "$work"
START
# systemd requires a console.
script -qec "sh '$work/start.sh'" "$work/console.log" </dev/null >/dev/null 2>&1 &
finish() {
    set +e
    kill $! 2>/dev/null
    wait
    # The processes in the namespaces need a moment to end.
    for try in $(seq 50); do
        find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
        [ -d "$group" ] || break
        sleep 0.1
    done
}
trap finish EXIT
waited=0
until [ -e "$work/sources.txt" ] || [ -e "$work/failed.txt" ]; do
    kill -0 $! 2>/dev/null || break
    sleep 1
    waited=$((waited + 1))
    [ $waited -lt 600 ] || break
done
[ ! -e "$work/failed.txt" ] || {
    echo "service.sh: chronyd has not selected the receiver" >&2
    cat "$work/failed.txt" >&2
    exit 1
}
[ -e "$work/sources.txt" ] || {
    grep -q 'running in system mode' "$work/console.log" || exit 77
    tail -n 30 "$work/console.log" >&2
    exit 1
}
cat "$work/sources.txt"
