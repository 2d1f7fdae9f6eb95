# SPDX-License-Identifier: MIT
# Everything a person does with gpsbridge from its sources. `make help` lists it.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Empty keeps symbols, as for a package of debugging symbols.
STRIP ?= -s
# Modules import only what Package.swift lets them.
STRICT = --explicit-target-dependency-import-check error
# The command runs on machines without a Swift toolchain.
RELEASE = -c release --static-swift-stdlib $(PLACELESS) $(LINK) $(EXTRA_LINK)
# The folder in which it is built is not part of the result.
PLACELESS = -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
    -Xswiftc -Xfrontend -Xswiftc -no-serialize-debugging-options \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
# The compiler keeps what macros expand to there, and debug data names it.
BUILD_RELEASE = mkdir -p .build/tmp && TMPDIR='$(CURDIR)/.build/tmp' $(SWIFT) build $(RELEASE) $(STRICT)
# More for the linker: what a distribution demands.
EXTRA_LINK ?=
# An eighth smaller, and started in two thirds of the time: no names for others, relocations packed where the C
# library (2.36) unpacks them.
# What is done for each epoch stands side by side: docs/performance.md has what that gives.
LINK = -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=safe \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xlinker '--symbol-ordering-file=$(CURDIR)/scripts/generate/hot-functions' -Xlinker --no-warn-symbol-ordering \
    $(shell getconf GNU_LIBC_VERSION | awk '$$2 >= 2.36 { print "-Xlinker -zpack-relative-relocs" }')
BINARY = .build/release/gpsbridge

help:
	@echo "make monitor    build what is needed and show where the receiver is (or a simulated one)"
	@echo "make build      build the command: $(BINARY)"
	@echo "make test       run every test"
	@echo "make test-users  run every test as an ordinary user who exists only meanwhile, and as root (needs root)"
	@echo "make test-usb   test with virtual USB receivers in a virtual machine; see scripts/tests/usb"
	@echo "make test-fleet  publish and collect with real servers: NATS, MQTT, PostgreSQL (installs them);"
	@echo "                FLEET_TESTS='gpx queries' runs some of it"
	@echo "make test-outside  build and run packages that have only the products of this one"
	@echo "make test-corelocation  run programs that import CoreLocation with a simulated receiver"
	@echo "make test-clients  serve a simulated receiver to gpsd's clients, chronyd, geoclue… (installs them)"
	@echo "make test-formats  have gpsbabel and GDAL read and write what convert does (installs them)"
	@echo "make test-ubx   have pyubx2 and gpsd read what simulated u-blox chips send (installs them)"
	@echo "make test-web   open the live page in Chromium beside the receivers it shows (installs it)"
	@echo "make load-server  5,000 clients, floods, restarts and 500 receivers against serve"
	@echo "make soak       hours of serve with 100 receivers, hostile clients, a page and chronyd; SECONDS=86400 for a day"
	@echo "make lint       check format and rules"
	@echo "make tsan       test for data races; FILTER=ThreadTests REPETITIONS=100 repeats some of it"
	@echo "make bench      measure speed; BASELINE=FILE compares with the output of an earlier run"
	@echo "make fuzz       look for input that breaks a promise; SECONDS=60 for each of five fuzzers"
	@echo "make year       allocations, and a receiver's year at 10 Hz; YEAR=2016 DAYS=366"
	@echo "make oracle     compare what users see with recordings, by a clock that tests advance; for changes of structure"
	@echo "make record-fixtures  record the expected fixes of Tests/Fixtures anew and show the diff"
	@echo "make rules      write udev-rules/*.rules anew from the lists of receivers and show the diff"
	@echo "make hot-functions  profile monitor and serve, and write scripts/generate/hot-functions anew, by which make build links"
	@echo "make docs       build the libraries' documentation: .build/docs"
	@echo "make install    install command, manual, completions, udev rules, service below PREFIX ($(PREFIX));"
	@echo "                DESTDIR is put before it"
	@echo "make deb        build Debian packages: DEB=$(DEB)"
	@echo "make test-deb   build them, check them with lintian; install, upgrade and purge them in a Debian 12 of their own"
	@echo "make uninstall  take it away again"

monitor: command
	@scripts/monitor $(BINARY)

command:
	@scripts/setup build
	$(BUILD_RELEASE) --product gpsbridge

# 1 where what gpsbridge-fleet needs is installed.
FLEET := $(shell scripts/setup has-fleet && echo 1)
build: command
ifeq ($(FLEET),1)
	export GPSBRIDGE_FLEET=1; $(BUILD_RELEASE) --product gpsbridge-fleet
endif

test:
	@scripts/setup test
	$(SWIFT) build --build-tests $(STRICT)
	scripts/test $(SWIFT)

test-users:
	@scripts/setup test
	scripts/tests/users $(SWIFT)

test-fleet:
	@scripts/setup fleet
	GPSBRIDGE_FLEET=1 ONLY=GPSFleetTests $(SWIFT) build --build-tests $(STRICT)
	GPSBRIDGE_FLEET=1 ONLY=GPSFleetTests $(SWIFT) test --skip-build --filter GPSFleetTests
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

test-clients: build
	scripts/tests/clients $(BINARY)

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
# Which tests are built; empty for all.
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
	rm $(BINARY)  # it is linked anew by them

rules:
	@scripts/setup test
	scripts/generate/udev-rules $(SWIFT)

docs:
	@scripts/setup build
	scripts/docs $(SWIFT)

# udev and systemd look below /usr and /usr/local, and nowhere else.
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
	for unit in gpsd.socket gpsd.service gpsdctl@.service; do \
	    install -D -m 644 udev-rules/gpsd-yields.conf $(UNITS)/$$unit.d/gpsbridge.conf || exit; done
	install -D -m 755 scripts/install/gpsbridge-switch $(DESTDIR)$(PREFIX)/sbin/gpsbridge-switch
	install -D -m 644 scripts/install/gpsbridge-switch.8 $(DESTDIR)$(PREFIX)/share/man/man8/gpsbridge-switch.8
	install -D -m 644 udev-rules/gpsbridge-nmea.service $(SHARE)/gpsbridge-nmea.service
	install -D -m 644 udev-rules/gpsbridge.default $(SHARE)/gpsbridge.default
	@# Whoever has changed it keeps the changes.
	test -e $(DESTDIR)/etc/default/gpsbridge || \
	    install -D -m 644 udev-rules/gpsbridge.default $(DESTDIR)/etc/default/gpsbridge
	sed -i 's,/usr/local/bin/,$(PREFIX)/bin/,' $(UNITS)/gpsbridge.service
	@test -n "$(DESTDIR)" || scripts/install/reload-udev

uninstall:
	scripts/install/help --remove $(DESTDIR)$(PREFIX)/share
	rm -f $(DESTDIR)$(PREFIX)/bin/gpsbridge $(DESTDIR)$(PREFIX)/bin/gpsbridge-fleet $(RULES)/70-gpsbridge.rules \
	    $(UNITS)/gpsbridge.service $(UNITS)/gpsbridge.socket $(UNITS)/gpsbridge-receiver.target \
	    $(UNITS)/gpsd.socket.d/gpsbridge.conf $(UNITS)/gpsd.service.d/gpsbridge.conf \
	    $(UNITS)/gpsdctl@.service.d/gpsbridge.conf $(DESTDIR)/etc/gpsbridge/instead-of-gpsd \
	    $(DESTDIR)$(PREFIX)/sbin/gpsbridge-switch $(DESTDIR)$(PREFIX)/share/man/man8/gpsbridge-switch.8
	! cmp -s $(SHARE)/gpsbridge.default $(DESTDIR)/etc/default/gpsbridge || rm $(DESTDIR)/etc/default/gpsbridge
	rm -rf $(SHARE)
	@test -n "$(DESTDIR)" || scripts/install/reload-udev

# Where the packages are put.
DEB ?= $(CURDIR)/.build/deb
deb:
	@scripts/setup package
	scripts/release/deb $(DEB)

test-deb: deb
	@scripts/setup test-package
	scripts/tests/package $(DEB)

clean:
	rm -rf .build

.PHONY: deb test-deb help monitor command build test test-users test-fleet test-usb test-clients test-corelocation test-formats test-ubx test-web load-server soak tsan lint bench fuzz year oracle record-fixtures hot-functions rules docs install uninstall clean
