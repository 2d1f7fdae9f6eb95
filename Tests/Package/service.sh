#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs in a Debian with systemd: the installed socket and service, alone and beside gpsd: service.sh PACKAGE
set -u
fail() {
    echo "service: $1"
    systemctl --no-pager status gpsbridge.socket gpsbridge.service gpsd.socket gpsd.service 2>&1 | head -n 60
    exit 1
}
active() { systemctl -q is-active "$1"; }
idle() { ! active "$1"; }
# Waits until a command succeeds.
soon() {
    for try in $(seq 100); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    return 1
}
install_quietly() { apt-get install -q -y --no-install-recommends --no-download "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; fail "$* cannot be installed"; }; }

dpkg -i "$1" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "it cannot be installed"; }
active gpsbridge.socket || fail "the socket does not listen after installation"
idle gpsbridge.service || fail "the service runs without clients"

# Simulates a receiver.
echo 'GPSBRIDGE_OPTIONS="simulated"' >/etc/default/gpsbridge
start=$(date +%s%N)
timeout 20 gpspipe -w -n 8 >/tmp/fixes
grep -q '"class":"TPV"' /tmp/fixes || { cat /tmp/fixes; fail "the first client gets no fix"; }
echo "service: the first client had a fix after $((($(date +%s%N) - start) / 1000000)) ms"
active gpsbridge.service || fail "the first client does not start the service"
# Programs on python3-gps use the first address of localhost, which may be ::1.
if grep -qs '^00*1 ' /proc/net/if_inet6; then
    timeout 20 bash -c 'head -n 1 </dev/tcp/::1/2947' | grep -q '"class":"VERSION"' || fail "a client over IPv6 is not served"
fi
systemctl -q enable gpsbridge.service
systemctl list-dependencies --plain multi-user.target | grep -q gpsbridge.service || fail "an enabled service does not run from boot"
systemctl -q disable gpsbridge.service
# Disabling the service disables the socket, too.
systemctl -q enable gpsbridge.socket

first=$(systemctl show -p MainPID --value gpsbridge.service)
dpkg -i /debs/later.deb >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "it cannot be upgraded"; }
soon active gpsbridge.service || fail "an upgrade ends the service"
[ "$(systemctl show -p MainPID --value gpsbridge.service)" != "$first" ] || fail "an upgrade does not restart the service"
timeout 20 gpspipe -w -n 8 | grep -q '"class":"TPV"' || fail "clients get nothing after an upgrade"
echo "service: an upgrade restarts it"

# geoclue is installed while the service runs, and gets its position from the service's socket.
where_am_i() {
    wanted=$(timeout 20 gpspipe -w -n 8 | sed -n 's/.*"class":"TPV".*"lat":\([-0-9.]*\),"lon":\([-0-9.]*\).*/\1 \2/p' | tail -n 1)
    timeout 60 dbus-run-session -- sh -c '/usr/libexec/geoclue-2.0/demos/agent >/dev/null 2>&1 &
        sleep 1; gpsbridge doctor --desktop --duration 5 >/tmp/doctor
        echo $? >/tmp/doctor.status; stdbuf -oL /usr/libexec/geoclue-2.0/demos/where-am-i -t 5' >/tmp/where 2>&1
    sed -n 's/^\(Latitude\|Longitude\): *\([-0-9.]*\).*/\2/p' /tmp/where | head -n 2 | tr '\n' ' ' | awk -v wanted="$wanted" '
        function near(a, b) { return a - b < 0.01 && b - a < 0.01 }
        { split(wanted, place, " "); found = NF == 2 && near($1, place[1]) && near($2, place[2]) } END { exit !found }'
}
[ "$(stat -c '%U %a' /run/gpsbridge-geoclue.sock)" = "root 600" ] || fail "users may use geoclue's socket"
gpsbridge doctor --desktop --duration 2 | grep -q 'sudo apt install geoclue-2.0' || fail "doctor does not miss geoclue"
install_quietly geoclue-2.0 geoclue-2-demo dbus
systemctl -q start dbus.socket geoclue.service
active gpsbridge-geoclue.socket || fail "geoclue gets no socket"
[ "$(stat -c '%U %a' /run/gpsbridge-geoclue.sock)" = "geoclue 600" ] || fail "others than geoclue may use its socket"
active gpsbridge.service || fail "the service does not run after geoclue was installed"
# geoclue 2.6 reads one file only, which the user edits by the command that doctor prints.
gpsbridge doctor --desktop --duration 2 >/tmp/doctor
sed -n 's/^ *-> \(sudo sed .*\) && sudo systemctl restart geoclue$/\1/p' /tmp/doctor | sed 's/^sudo //' >/tmp/edit
sh /tmp/edit
[ ! -s /tmp/edit ] || echo "service: this geoclue is configured by hand"
systemctl stop gpsbridge.service geoclue.service
where_am_i || { cat /tmp/where /tmp/doctor; fail "geoclue's programs do not get the position"; }
cat /tmp/where | grep -m 4 -E '^(Latitude|Longitude|Accuracy|Description)' | sed 's/^/service: geoclue: /'
active gpsbridge.service || fail "geoclue does not start the service"
[ "$(cat /tmp/doctor.status)" = 0 ] || { cat /tmp/doctor; fail "doctor finds fault with a working desktop"; }
systemctl start geoclue.service
first=$(systemctl show -p MainPID --value geoclue.service)
systemctl restart gpsbridge.service
[ "$(systemctl show -p MainPID --value geoclue.service)" != "$first" ] || fail "geoclue keeps a socket that has ended"
where_am_i || { cat /tmp/where; fail "geoclue's programs get no position after a restart"; }
echo "service: geoclue gets the position, also after a restart"

# gpsd is installed, and gets the receivers.
install_quietly gpsd
soon idle gpsbridge.service || fail "the service goes on beside gpsd"
soon idle gpsbridge.socket || fail "the socket listens beside gpsd"
idle gpsbridge-geoclue.socket || fail "geoclue's socket listens beside gpsd"
soon active gpsd.socket || fail "gpsd does not listen"
systemctl start gpsbridge.service
idle gpsbridge.service || fail "the service starts beside gpsd"
systemctl status gpsbridge.service | grep -q 'ConditionPathExists=' || fail "it does not say why it is idle"
gpsbridge doctor --duration 1 | grep -q gpsbridge-switch || fail "doctor does not explain gpsd"
[ "$(gpsbridge-switch)" = "gpsd serves this machine's receivers." ] || fail "gpsbridge-switch says something else"
echo "service: gpsd keeps the receivers"

# A masked gpsd serves nothing.
systemctl -q mask --now gpsd.socket gpsd.service
gpsbridge-switch apply
active gpsbridge.socket || fail "gpsbridge stays idle although gpsd is masked"
! gpsbridge-switch gpsd 2>/dev/null || fail "a masked gpsd is selected"
active gpsbridge.socket || fail "gpsbridge stops for a masked gpsd"
systemctl -q unmask gpsd.socket gpsd.service
gpsbridge-switch apply
active gpsd.socket && idle gpsbridge.socket || fail "gpsd does not serve after it was unmasked"

systemctl -q disable gpsbridge.socket
gpsbridge-switch gpsbridge | grep -q "but not started: sudo systemctl enable --now gpsbridge.socket" ||
    fail "gpsbridge-switch does not say that the socket is disabled"
systemctl -q enable gpsbridge.socket
gpsbridge-switch gpsbridge
active gpsbridge.socket || fail "gpsbridge does not take over"
active gpsbridge-geoclue.socket || fail "geoclue's socket is not open after gpsbridge took over"
idle gpsd.socket || fail "gpsd goes on"
systemctl start gpsd.socket gpsd.service 2>/dev/null
idle gpsd.service || fail "gpsd starts beside gpsbridge"
timeout 20 gpspipe -w -n 8 | grep -q '"class":"TPV"' || fail "gpsbridge serves nothing after it took over"

gpsbridge-switch gpsd
active gpsd.socket || fail "gpsd does not come back"
idle gpsbridge.socket && idle gpsbridge.service || fail "gpsbridge goes on beside gpsd"
echo "service: switched over and back"

gpsbridge-switch gpsbridge
dpkg -r gpsbridge >/dev/null 2>&1 || fail "it cannot be removed"
soon active gpsd.socket || fail "gpsd does not come back when gpsbridge goes"
dpkg -i /debs/later.deb >/dev/null 2>&1 || fail "it cannot be installed beside gpsd"
idle gpsbridge.socket || fail "it listens beside a gpsd that was there"
dpkg -r gpsd >/dev/null 2>&1
soon active gpsbridge.socket || fail "it does not listen after gpsd has gone"
echo "service: gpsd comes and goes"

timeout 20 gpspipe -w -n 8 | grep -q '"class":"TPV"' || fail "it serves nothing after gpsd has gone"
# The choice does not start the socket again while the package is removed.
gpsbridge-switch gpsbridge
dpkg -P gpsbridge >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; fail "it cannot be purged"; }
idle gpsbridge.socket || fail "the socket listens after the package was purged"
left=$(find / -xdev \( -path /proc -o -path /sys -o -path /debs -o -path /var/log -o -path /check.log \) -prune -o -name '*gpsbridge*' -print;
    getent passwd gpsbridge)
[ -z "$left" ] || { echo "$left"; fail "the purged package leaves these"; }
echo "service: nothing is left"
