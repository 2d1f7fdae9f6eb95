# SPDX-License-Identifier: MIT
# Builds, tests and installs gpsbridge. `make help` lists the targets.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# If it is empty, symbols are kept, as for a package of debugging symbols.
STRIP ?= -s
# Modules may import only the dependencies that Package.swift declares.
STRICT = --explicit-target-dependency-import-check error
# Links Swift's libraries statically, so that the command runs on machines without a Swift toolchain.
RELEASE = -c release --static-swift-stdlib $(PLACELESS) -Xswiftc -L.build/static $(LINK) $(EXTRA_LINK)
# Swift's libraries need little of those of C++. Linked statically, the program starts a tenth faster and holds 1.2 MB less.
STATIC = mkdir -p .build/static && for library in 'stdc++ stdc++' 'gcc_s gcc_eh'; do \
    archive=$$("$$(dirname "$$(readlink -f "$$(command -v $(firstword $(SWIFT)))")")/clang" -print-file-name=lib$${library\#* }.a); [ ! -f "$$archive" ] || \
    ln -sf "$$archive" .build/static/lib$${library% *}.a; done
# The result does not depend on the folder in which it is built.
PLACELESS = -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
    -Xswiftc -Xfrontend -Xswiftc -no-serialize-debugging-options \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
# The compiler stores the expansions of macros there, and debugging data contains the path.
BUILD_RELEASE = $(STATIC) && mkdir -p .build/tmp && TMPDIR='$(CURDIR)/.build/tmp' $(SWIFT) build $(RELEASE) $(STRICT)
# Additional options for the linker, as required by a distribution.
EXTRA_LINK ?=
# Makes the program a fifth smaller and start in two thirds of the time: no exported names, functions with the same
# machine code are stored once, and packed relocations if the C library supports them (2.36). So the command must not
# compare key paths to computed properties, which are addresses of functions. Functions that run for each epoch are
# placed side by side; docs/performance.md lists the effect.
LINK = -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=all \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xlinker '--symbol-ordering-file=$(CURDIR)/scripts/generate/hot-functions' -Xlinker --no-warn-symbol-ordering \
    $(shell getconf GNU_LIBC_VERSION | awk '$$2 >= 2.36 { print "-Xlinker -zpack-relative-relocs" }')
BINARY = .build/release/gpsbridge

help:
	@echo "make monitor            Build what is missing, and show the receiver's position (or a simulated one)"
	@echo "make build              Build the command: $(BINARY)"
	@echo "make test               Run all tests"
	@echo "make test-users         Run all tests as a temporary ordinary user, then, as root, those whose result depends on the user"
	@echo "make test-usb           Test with virtual USB receivers in a virtual machine: scripts/tests/usb"
	@echo "make test-pulses        Measure the time stamps of pulses in a virtual machine: scripts/tests/pulses"
	@echo "make test-fleet         Test publish and collect with NATS, MQTT, HTTP and PostgreSQL servers (installs them);"
	@echo "                        FLEET_TESTS='gpx queries' runs some of the tests"
	@echo "make test-outside       Build and run packages that use only the products of this package"
	@echo "make test-corelocation  Run programs that import CoreLocation, with a simulated receiver"
	@echo "make test-clients       Serve a simulated receiver to gpsd's clients, chronyd and geoclue (installs them)"
	@echo "make test-releases      Serve it to the clients of Debian 13's and forky's gpsd, in root trees (with debootstrap)"
	@echo "make test-signalk       Validate the messages of serve --signalk by the published schemas"
	@echo "make test-corrections   Feed a simulated receiver by casters that drop, cut, trickle and refuse"
	@echo "make test-formats       Compare convert with gpsbabel and GDAL (installs them)"
	@echo "make test-ubx           Compare simulated u-blox chips with pyubx2 and gpsd (installs them)"
	@echo "make test-web           Open the live page in Chromium (installs it)"
	@echo "make load-server        Test serve with 5,000 clients, floods, restarts and 500 receivers"
	@echo "make soak               Test serve for hours with 100 receivers and hostile clients; SECONDS=86400 for a day"
	@echo "make lint               Check the format and the rules of the code"
	@echo "make tsan               Test for data races; FILTER=ThreadTests REPETITIONS=100 repeats some of the tests"
	@echo "make bench              Measure speed; BASELINE=FILE compares with the output of an earlier run"
	@echo "make fuzz               Run the fuzzers, each for SECONDS=60"
	@echo "make year               Measure allocations over a receiver's year at 10 Hz; YEAR=2016 DAYS=366"
	@echo "make oracle             Compare all output with recordings, to check a refactoring"
	@echo "make record-fixtures    Record the expected fixes of Tests/Fixtures again, and show the differences"
	@echo "make rules              Generate udev-rules/*.rules from the lists of receivers, and show the differences"
	@echo "make guarantees         Generate docs/delegation-guarantees.md from the names of the tests, and show the differences"
	@echo "make chips              Generate docs/chips.md from reports of doctor, and show the differences"
	@echo "make hot-functions      Profile monitor and serve, and generate the link order of make build"
	@echo "make docs               Build the documentation of the libraries: .build/docs"
	@echo "make install            Install the command, manual, completions, udev rules and service in PREFIX ($(PREFIX));"
	@echo "                        DESTDIR is prepended to it"
	@echo "make deb                Build the Debian packages: DEB=$(DEB)"
	@echo "make test-deb           Build the packages, check them with lintian, and install, upgrade and purge them in a chroot"
	@echo "make test-reproducible  Build the packages in two folders, and check that they are identical"
	@echo "make test-machine       Install the package in a virtual machine, with virtual USB receivers, chrony and gpsd"
	@echo "make uninstall          Remove what make install installed"

monitor: command
	@scripts/monitor $(BINARY)

command:
	@scripts/setup build
	$(BUILD_RELEASE) --product gpsbridge
	@! nm $(BINARY) | grep -q 17_StringProcessing || \
	    { echo "make: the library for regular expressions is linked: see Strings.swift" >&2; exit 1; }

# 1 if the libraries that gpsbridge-fleet needs are installed.
FLEET := $(shell scripts/setup has-fleet && echo 1)
build: command
ifeq ($(FLEET),1)
	export GPSBRIDGE_FLEET=1; $(BUILD_RELEASE) --product gpsbridge-fleet
endif

# Includes the tests of gpsbridge-fleet if it can be built.
test:
	@scripts/setup test
	GPSBRIDGE_OPTIMIZE=1 $(if $(FLEET),GPSBRIDGE_FLEET=1 )$(SWIFT) build --build-tests $(STRICT)
	scripts/test $(SWIFT)

test-users:
	@scripts/setup test
	scripts/tests/users $(SWIFT)

test-fleet:
	@scripts/setup test-fleet
	$(MAKE) build FLEET=1
	scripts/tests/fleet $(BINARY) $(FLEET_TESTS)

test-outside:
	@scripts/setup build
	scripts/tests/outside $(SWIFT)

test-corelocation:
	@scripts/setup build
	scripts/tests/corelocation $(SWIFT)

test-usb: build
	scripts/tests/usb $(BINARY)

test-pulses: build
	scripts/tests/pulses $(BINARY)
	scripts/tests/pulses-in-service $(BINARY)

test-releases: build
	scripts/tests/clients-of $(BINARY)

test-clients: build
	scripts/tests/clients $(BINARY)

test-corrections: build
	scripts/tests/corrections $(BINARY)

test-signalk: build
	scripts/tests/signalk $(BINARY)

test-ubx: build
	scripts/tests/chips $(BINARY)

test-formats: build
	scripts/tests/formats $(BINARY)

test-web: build
	scripts/tests/web $(BINARY)

load-server: build
	scripts/endurance/load-server $(BINARY)

soak: SECONDS = 3600
soak:
	@scripts/setup build
	scripts/endurance/soak $(SECONDS) $(SWIFT)

TIMES ?= 1
REPETITIONS ?= 1
# The tests to build; empty for all.
ONLY ?= DelegationTests GPSBridgeTests
FILTER ?=
tsan:
	@scripts/setup test
	$(if $(ONLY),ONLY='$(ONLY)') REPETITIONS='$(REPETITIONS)' scripts/endurance/tsan $(SWIFT) '$(TIMES)' $(if $(FILTER),'$(FILTER)')

lint:
	@scripts/setup build
	scripts/lint $(SWIFT)

bench: build
	@BASELINE='$(BASELINE)' scripts/bench/all $(SWIFT) $(BINARY)

SECONDS = 60
fuzz:
	@scripts/setup build
	scripts/endurance/fuzz $(SWIFT) $(SECONDS)

YEAR ?= 2016
year:
	@scripts/setup build
	scripts/endurance/year $(SWIFT) $(YEAR) $(DAYS)

oracle:
	@scripts/setup test
	scripts/oracle $(SWIFT)

record-fixtures:
	@scripts/setup test
	scripts/generate/record-fixtures $(SWIFT)

hot-functions: command
	@scripts/setup profile
	scripts/generate/order-functions $(BINARY)
	rm -f $(BINARY) $(BINARY)-fleet  # they are linked anew

rules:
	@scripts/setup test
	scripts/generate/udev-rules $(SWIFT)

guarantees:
	scripts/generate/guarantees
	git --no-pager diff --stat -- docs/delegation-guarantees.md

chips: command
	scripts/generate/chips $(BINARY)
	git --no-pager diff --stat -- docs/chips.md

docs:
	@scripts/setup build
	scripts/docs $(SWIFT)

# udev and systemd search only below /usr and /usr/local.
SYSTEM = $(PREFIX)/lib
RULES = $(DESTDIR)$(SYSTEM)/udev/rules.d
UNITS = $(DESTDIR)$(SYSTEM)/systemd/system
SHARE = $(DESTDIR)$(PREFIX)/share/gpsbridge
install:
	@test -x $(BINARY) || { echo "gpsbridge: run 'make build' first, as yourself" >&2; exit 1; }
	install -D $(STRIP) -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/gpsbridge
	if [ -x $(BINARY)-fleet ]; then install $(STRIP) -m 755 $(BINARY)-fleet $(DESTDIR)$(PREFIX)/bin/; fi
	scripts/install/help $(BINARY) $(DESTDIR)$(PREFIX)/share
	install -D -m 644 udev-rules/70-gpsbridge.rules $(RULES)/70-gpsbridge.rules
	install -D -m 644 udev-rules/69-gpsbridge-converters.rules $(SHARE)/69-gpsbridge-converters.rules
	install -D -m 644 udev-rules/gpsbridge-receiver.target $(UNITS)/gpsbridge-receiver.target
	install -D -m 644 udev-rules/gpsbridge.service $(UNITS)/gpsbridge.service
	install -D -m 644 udev-rules/gpsbridge.socket $(UNITS)/gpsbridge.socket
	install -D -m 644 udev-rules/gpsbridge-geoclue.socket $(UNITS)/gpsbridge-geoclue.socket
	install -D -m 644 udev-rules/geoclue.conf $(SHARE)/geoclue.conf
	for unit in gpsd.socket gpsd.service gpsdctl@.service; do \
	    install -D -m 644 udev-rules/gpsd-yields.conf $(UNITS)/$$unit.d/gpsbridge.conf || exit; done
	install -D -m 644 udev-rules/geoclue-reads.conf $(UNITS)/geoclue.service.d/gpsbridge.conf
	install -D -m 755 scripts/install/gpsbridge-switch $(DESTDIR)$(PREFIX)/sbin/gpsbridge-switch
	install -D -m 644 scripts/install/gpsbridge-switch.8 $(DESTDIR)$(PREFIX)/share/man/man8/gpsbridge-switch.8
	install -D -m 644 udev-rules/gpsbridge-nmea.service $(SHARE)/gpsbridge-nmea.service
	install -D -m 644 udev-rules/gpsbridge.default $(SHARE)/gpsbridge.default
	@# An existing file stays: it may have been changed. Only root can create it.
	test -e $(DESTDIR)/etc/default/gpsbridge || test -z "$(DESTDIR)" -a ! -w /etc || \
	    install -D -m 644 udev-rules/gpsbridge.default $(DESTDIR)/etc/default/gpsbridge
	sed -i 's,/usr/local/bin/,$(PREFIX)/bin/,' $(UNITS)/gpsbridge.service
	@test -n "$(DESTDIR)" || scripts/install/reload-udev

uninstall:
	@test -n "$(DESTDIR)" || scripts/install/stop-service $(UNITS)
	scripts/install/help --remove $(DESTDIR)$(PREFIX)/share
	rm -f $(DESTDIR)$(PREFIX)/bin/gpsbridge $(DESTDIR)$(PREFIX)/bin/gpsbridge-fleet $(RULES)/70-gpsbridge.rules \
	    $(UNITS)/gpsbridge.service $(UNITS)/gpsbridge.socket $(UNITS)/gpsbridge-geoclue.socket \
	    $(UNITS)/gpsbridge-receiver.target \
	    $(UNITS)/gpsd.socket.d/gpsbridge.conf $(UNITS)/gpsd.service.d/gpsbridge.conf \
	    $(UNITS)/gpsdctl@.service.d/gpsbridge.conf $(UNITS)/geoclue.service.d/gpsbridge.conf \
	    $(DESTDIR)$(PREFIX)/sbin/gpsbridge-switch $(DESTDIR)$(PREFIX)/share/man/man8/gpsbridge-switch.8
	@# The file of the Debian package stays.
	dpkg-query -S $(DESTDIR)/etc/default/gpsbridge >/dev/null 2>&1 || \
	    ! cmp -s $(SHARE)/gpsbridge.default $(DESTDIR)/etc/default/gpsbridge || rm $(DESTDIR)/etc/default/gpsbridge
	rm -rf $(SHARE)
	@test -n "$(DESTDIR)" || scripts/install/reload-udev

# The folder for the packages.
DEB ?= $(CURDIR)/.build/deb
deb:
	@scripts/setup package
	scripts/release/deb '$(DEB)'

test-deb: deb
	@scripts/setup test-package
	scripts/tests/package '$(DEB)'

test-reproducible:
	@scripts/setup package
	scripts/tests/reproducible

test-machine: deb
	@scripts/setup test-machine
	scripts/tests/machine '$(DEB)'

clean:
	rm -rf --one-file-system .build

.PHONY: deb test-deb test-reproducible test-machine help monitor command build test test-users test-fleet test-usb test-pulses test-clients test-releases test-signalk test-corrections test-corelocation test-formats test-ubx test-web load-server soak tsan lint bench fuzz year oracle record-fixtures hot-functions rules guarantees chips docs install uninstall clean
