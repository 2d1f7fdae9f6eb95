# SPDX-License-Identifier: MIT
# Everything a person does with gpsbridge from its sources. `make help` lists it.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Modules import only what Package.swift lets them.
STRICT = --explicit-target-dependency-import-check error
# The command runs on machines without a Swift toolchain.
RELEASE = -c release --static-swift-stdlib
BINARY = .build/release/gpsbridge

help:
	@echo "make monitor    build what is needed and show where the receiver is (or a simulated one)"
	@echo "make build      build the command: $(BINARY)"
	@echo "make test       run every test"
	@echo "make lint       check format and rules"
	@echo "make tsan       test for data races; TIMES=100 FILTER=ThreadTests repeats some of it"
	@echo "make bench      measure speed"
	@echo "make docs       build the libraries' documentation: .build/docs"
	@echo "make install    install the command below PREFIX ($(PREFIX)); DESTDIR is put before it"
	@echo "make uninstall  take it away again"

monitor: build
	@scripts/monitor $(BINARY)

build:
	@scripts/setup build
	$(SWIFT) build $(RELEASE) $(STRICT) --product gpsbridge

test:
	@scripts/setup test
	$(SWIFT) build --build-tests $(STRICT)
	scripts/test $(SWIFT)

TIMES ?= 1
FILTER ?=
tsan:
	@scripts/setup test
	scripts/tsan $(SWIFT) '$(TIMES)' $(if $(FILTER),'$(FILTER)')

lint:
	@scripts/setup build
	scripts/lint $(SWIFT)

bench:
	@scripts/setup build
	scripts/bench $(SWIFT)
	scripts/bench-delegation $(SWIFT)

docs:
	@scripts/setup build
	scripts/docs $(SWIFT)

install:
	@test -x $(BINARY) || { echo "gpsbridge: run 'make build' first, as yourself" >&2; exit 1; }
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/gpsbridge

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/gpsbridge

clean:
	rm -rf .build

.PHONY: help monitor build test tsan lint bench docs install uninstall clean
