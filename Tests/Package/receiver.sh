#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs as root in a Debian with its own kernel. Tests the package, receivers that are plugged in and unplugged,
# chronyd, and gpsd. The same folder contains gpsbridge.deb, later.deb and vusbgps.
set -u
now() { cut -d' ' -f1 /proc/uptime; }
since() { awk -v then="$1" -v now="$(now)" 'BEGIN { printf "%.1f s", now - then }'; }
report() { echo "receiver: $*"; }
fail() {
    report "FAILED: $1"
    systemctl --no-pager --full status gpsbridge.socket gpsbridge.service gpsd.socket gpsd.service chrony.service 2>&1 | head -n 80
    journalctl -u gpsbridge.service --no-pager | tail -n 10
    ls -lR /dev/gnss /var/lib/private 2>&1 | head -n 20
    tail -n 5 /tmp/*.log
    tmux capture-pane -p -t cgps 2>&1 | sed 's/^/    /'
    exit 1
}
active() { systemctl -q is-active "$1"; }
idle() { ! active gpsbridge.socket && ! active gpsbridge.service; }
# Waits up to a minute until a command succeeds.
soon() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
apt() { apt-get -q -y --no-install-recommends "$@" >/tmp/apt.log 2>&1 || fail "apt-get $* fails"; }

# Prints the sentences of the next quarter of an hour, three per second.
sentences() {
    local from=$(date +%s)
    for ((second = from; second < from + 900; second++)); do
        printf '%(%H%M%S)T.00 %(%d%m%y)T\n' $second $second
    done | TZ=UTC awk '
        BEGIN { for (i = 32; i < 127; i++) code[sprintf("%c", i)] = i }
        function xor(a, b,   bit, sum) {
            for (bit = 1; bit < 128; bit *= 2) {
                if (int(a / bit) % 2 != int(b / bit) % 2) sum += bit
            }
            return sum
        }
        function send(body,   i, sum) {
            for (i = 1; i <= length(body); i++) sum = xor(sum, code[substr(body, i, 1)])
            printf "$%s*%02X\r\n", body, sum
        }
        {
            send("GPRMC," $1 ",A,4812.50000,N,01622.42000,E,0.0,,"  $2 ",,,A")
            send("GPGGA," $1 ",4812.50000,N,01622.42000,E,1,08,1.04,171.3,M,42.8,M,,")
            send("GPGSA,A,3,02,05,07,09,13,16,26,30,,,,,1.92,1.04,1.61")
        }'
}
# plug DRIVER BAUD [OPTION...]: plugs in a receiver that sends the current time.
plug() {
    rm -f plugged now.nmea
    mkfifo now.nmea
    printf '%s\n' "plug $*" start 'send now.nmea' >scenario
    ./vusbgps -s plugged scenario >/tmp/vusbgps.log 2>&1 &
    receiver=$!
    soon test -e plugged || fail "the receiver gets no tty"
    local spent=$(($(date +%s) - recorded))
    # A cycle is sent a tenth of a second after its time.
    sleep "0.$(printf %09d $((10#1000000000 - 10#$(date +%N) - 1)))"
    sleep 0.1
    tail -n +$(((spent + 1) * 3 + 1)) sentences.nmea >now.nmea
}
unplug() {
    kill $receiver
    wait $receiver 2>/dev/null
    soon test ! -e /dev/ttyACM0 -a ! -e /dev/ttyUSB0 || fail "the tty stays"
}
# Returns whether a client of gpsd's protocol gets a position from SERVER, gpsd or gpsbridge.
serves() {
    # Without stdbuf, gpspipe's output is lost at the timeout.
    timeout 20 stdbuf -oL gpspipe -w 2>/dev/null | sed '/"lat":48.208/q' >/tmp/client.log
    grep -q '"lat":48.208' /tmp/client.log || return 1
    local server=gpsd
    ! grep -q '"rev":"gpsbridge' /tmp/client.log || server=gpsbridge
    [ $server = "$1" ]
}
on_screen() { tmux capture-pane -p -t "$1" 2>/dev/null | grep -q "$2"; }
readers() { ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c -- '-> /dev/tty\(ACM\|USB\)'; }

report "started after $(now) s, $(uname -r), systemd $(systemctl --version | awk 'NR == 1 { print $2 }')"
modprobe vhci-hcd
recorded=$(date +%s)
sentences >sentences.nmea

# The package alone.
plug cdc_acm 9600
before=$(now)
apt install ./gpsbridge.deb
report "installed in $(since $before)"
soon test -e /dev/gnss/by-id || fail "a receiver that was there has no link"
[ "$(stat -L -c %G /dev/gnss/by-id/*)" = dialout ] || fail "a receiver that was there has no group"
active gpsbridge.socket || fail "the socket does not listen"
active gpsbridge.service && fail "the service runs without clients"
unplug
soon test ! -e /dev/gnss/by-id || fail "the link stays"

plug cdc_acm 9600
before=$(now)
TERM=xterm LC_ALL=C.UTF-8 tmux -u new-session -d -s cgps -x 100 -y 40 cgps
soon on_screen cgps '3D FIX' || fail "cgps shows no fix"
report "cgps shows a fix after $(since $before)"
tmux capture-pane -p -t cgps | grep -m 3 'Time\|Latitude\|Status' | sed 's/^/    /'
report "memory of the service: $(systemctl show -p MemoryCurrent --value gpsbridge.service | awk '{ printf "%.1f MB", $1 / 1e6 }')"
tmux kill-server
systemd-analyze security --threshold=20 gpsbridge.service | tail -n 1 || fail "the service is rated above 2.0"

# Upgrades with a receiver whose baud rate was detected, and a client.
unplug
plug pl2303 38400 id=067b:aaa0
gpsbridge monitor gpsd://localhost --format json >/tmp/monitor.log 2>&1 &
monitor=$!
fixes() { grep -c '"class":"TPV".*"lat":48.208' /tmp/monitor.log; }
more_fixes() { [ "$(fixes)" -gt "$seen" ]; }
seen=3
soon more_fixes || fail "a converter at 38400 baud gives no fix"
state() { find /var/lib/private/gpsbridge -type f -exec md5sum {} + | sort; }
soon test -n "$(state)" || fail "no rate was learned"
learned=$(state)
pid=$(systemctl show -p MainPID --value gpsbridge.service)
before=$(now)
apt install ./later.deb
report "upgraded in $(since $before)"
[ "$(systemctl show -p MainPID --value gpsbridge.service)" != "$pid" ] || fail "an upgrade does not restart the service"
[ "$(state)" = "$learned" ] || fail "an upgrade changes what was learned"
seen=$(($(fixes) + 3))
soon more_fixes || fail "a client does not reconnect"
kill $monitor
report "an upgrade restarts the service, its client reconnects, and $(state | wc -l) learned file stays"

# The time by chronyd's socket and by shared memory, as described in docs/service.md.
unplug
plug cdc_acm 9600
apt install chrony
cat >/etc/chrony/conf.d/gps.conf <<'END'
refclock SOCK /run/chrony.gps.sock refid GPS poll 3 delay 0.2
refclock SHM 2:perm=0666 refid MEM poll 3 delay 0.2 noselect
END
mkdir -p /etc/systemd/system/chrony.service.d
cat >/etc/systemd/system/chrony.service.d/gps.conf <<'END'
[Service]
ExecStartPost=+/bin/chgrp dialout /run/chrony.gps.sock
ExecStartPost=+/bin/chmod g+w /run/chrony.gps.sock
END
echo 'GPSBRIDGE_OPTIONS="--chrony /run/chrony.gps.sock --shm 2"' >/etc/default/gpsbridge
systemctl -q enable gpsbridge.service
systemctl daemon-reload
before=$(now)
systemctl restart chrony gpsbridge
selected() { chronyc -n sources | grep -q '^#\* GPS'; }
reached() { chronyc -n sources | grep '^#. MEM' | awk '{ exit $5 == 0 }'; }
soon selected || soon selected || fail "chronyd does not select us: $(chronyc -n sources)"
report "chronyd selects the receiver after $(since $before)"
soon reached || fail "chronyd gets nothing by shared memory: $(chronyc -n sources)"
chronyc -n sources | grep '^#' | sed 's/^/    /'
apt purge chrony
rm -rf /etc/chrony /etc/systemd/system/chrony.service.d

# Purge.
left() {
    find / -xdev \( -path /check -o -path /var/log -o -path /tmp -o -path /var/cache/apt \) -prune -o -name '*gpsbridge*' -print
    find /dev/gnss /run/gpsbridge /etc/systemd/system -iname '*gpsbridge*' 2>/dev/null
    getent passwd gpsbridge
    systemctl list-units --all --no-legend '*gpsbridge*' | grep -v not-found
}
apt purge gpsbridge
soon test ! -e /dev/gnss/by-id || fail "links stay"
systemctl reset-failed
[ -z "$(left)" ] || { left; fail "the purged package leaves these"; }
report "nothing is left"

# gpsd is installed first, and continues to serve.
apt install gpsd
unplug
plug cdc_acm 9600
soon serves gpsd || fail "gpsd does not serve the receiver"
pid=$(systemctl show -p MainPID --value gpsd.service)
gpspipe -w >/tmp/gpsd.log &
pipe=$!
apt install ./later.deb
idle || fail "it runs beside gpsd"
systemctl start gpsbridge.service
idle || fail "it starts beside gpsd"
systemctl status gpsbridge.service | grep 'Condition:\|ConditionPathExists=' | sed 's/^ */    /' || fail "it does not say why it is idle"
gpsbridge doctor --duration 1 | grep -q gpsbridge-switch || fail "doctor does not explain gpsd"
reports() { [ "$(grep -c '"class":"TPV"' /tmp/gpsd.log)" -ge "$1" ]; }
soon reports $(($(grep -c '"class":"TPV"' /tmp/gpsd.log) + 3)) || fail "gpsd's client gets nothing any more"
[ "$(systemctl show -p MainPID --value gpsd.service)" = "$pid" ] || fail "gpsd was restarted"
[ "$(readers)" -eq 1 ] || fail "the receiver has $(readers) readers"
kill $pipe
unplug
plug cdc_acm 9600
soon serves gpsd || fail "gpsd does not get a receiver that is plugged in"
idle || fail "a receiver starts it beside gpsd"
report "gpsd goes on, gpsbridge stays idle"

# Switches to gpsbridge and back, each also with a receiver that is plugged in afterwards.
for server in gpsbridge gpsd; do
    before=$(now)
    gpsbridge-switch $server >/dev/null || fail "gpsbridge-switch $server fails"
    soon serves $server || fail "$server does not take over"
    report "switched to $server, and had a fix, in $(since $before)"
    unplug
    plug cdc_acm 9600
    soon serves $server || fail "$server does not serve a receiver that is plugged in"
    [ "$(readers)" -eq 1 ] || fail "the receiver has $(readers) readers"
done

gpsbridge-switch gpsbridge >/dev/null
soon serves gpsbridge || fail "gpsbridge does not take over again"

# An NMEA 2000 bus, which another program reads from the beginning.
modprobe vcan
ip link add vcan0 type vcan
gpsbridge serve gpsd://localhost --listen 2950 --n2k vcan0 2>/tmp/n2k.log &
bus=$!
soon grep -q 'vcan0: it is down' /tmp/n2k.log || fail "an interface that is down is not reported"
ip link set vcan0 up
candump -L vcan0 >/tmp/candump.log &
dump=$!
has() { grep -q "$1" /tmp/candump.log; }
# 129025 at 48.2083 N, 16.3737 E.
soon has '#0502BC1C5B6CC209' || fail "there is no position on the bus"
address=$(sed -n 's/.*09F801\(..\)#0502BC1C5B6CC209.*/\1/p' /tmp/candump.log | head -n 1)
cansend vcan0 18EAFF09#14F001
soon has "19F014$address#..86" || fail "there is no product information"
cansend vcan0 "18EEFF$address#0100000000000000"
soon grep -q "because another device has $((16#$address))" /tmp/n2k.log || fail "the address is not given up"
gpsd -n -N -S 2960 nmea2000://vcan0 >/tmp/n2k-gpsd.log 2>&1 &
reader=$!
plotter() { timeout 20 stdbuf -oL gpspipe -w localhost:2960 2>/dev/null | grep -m 1 '"mode":3.*"lat":48.208'; }
soon plotter >/tmp/plotter.log || fail "gpsd does not read the position from the bus"
cut -c 1-150 /tmp/plotter.log | sed 's/^/    /'
ip link set vcan0 down
down() { [ "$(grep -c 'vcan0: it is down' /tmp/n2k.log)" -eq 2 ]; }
soon down || fail "the end of the bus is not reported"
: >/tmp/candump.log
kill $dump $reader 2>/dev/null
ip link set vcan0 up
candump -L vcan0 >/tmp/candump.log &
dump=$!
soon has '#0502BC1C5B6CC209' || fail "a bus that returns is not used"
unplug
soon has '#FFFFFF7FFFFFFF7F' || fail "the last position stays on the bus"
plug cdc_acm 9600
kill $dump $bus
report "gpsd and can-utils read NMEA 2000"

apt purge gpsbridge
soon serves gpsd || fail "gpsd does not serve again when gpsbridge is purged"
systemctl reset-failed
[ -z "$(left)" ] || { left; fail "purged beside gpsd, it leaves these"; }
report "purged, gpsd serves again, nothing is left"
