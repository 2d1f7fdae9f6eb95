// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSTestSupport
import Glibc
import Testing

@testable import GPSReceivers

/// Run with `umockdev-wrapper swift test --filter FirstReceiverSourceTests`.
@Suite(
    .serialized, .timeLimit(.generous),
    .enabled(if: Umockdev.isAvailable, "run this with umockdev-wrapper"))
struct FirstReceiverSourceTests {
    @Test func `plugged receivers are found and read, and unplugged ones are lost`() async throws {
        let machine = Umockdev()
        let source = FirstReceiverSource(baudRate: .default)
        #expect(DeviceDiscovery.devices() == [])
        #expect(await source.failure()?.code == .noReceiver)

        // A monitor whose poller cannot start at first.
        let attempts = Witness<Bool>()
        let poller = Poller(failingWith: {
            attempts.note(true)
            return attempts.all.count > 2 ? 0 : EAGAIN
        })
        defer { poller.stop() }
        let monitor = try #require(UdevMonitor(poller: poller))
        let events = Witness<UdevEvent>()
        monitor.events.observe { events.note($0) }

        let availability = try #require(source.availability())
        let strangers = [
            // A PL2303 may connect any device; 1546:1102 is a u-blox modem; Garmin sends no NMEA.
            Umockdev.Device(vendor: "067b", product: "2303", tty: "ttyUSB0", number: 1),
            Umockdev.Device(vendor: "1546", product: "1102", tty: "ttyACM0", number: 2),
            Umockdev.Device(vendor: "091e", product: "0003", tty: "ttyUSB1", number: 3),
        ]
        for stranger in strangers {
            #expect(machine.plug(stranger))
            await availability.next(until: nil)
        }
        await events.wait { $0 == .ready }
        withExtendedLifetime(monitor) {}
        #expect(DeviceDiscovery.devices().count == 3)
        #expect(DeviceDiscovery.receivers().map(\.path) == ["/dev/ttyUSB1"])
        #expect(await source.failure()?.code == .noReceiver)

        // Like ModemManager with every plugged-in device.
        let holder = try await SerialSource("/dev/ttyUSB0").open()
        do throws(DeviceError) {
            _ = try await source.openToListen()
            Issue.record("it is open")
        } catch {
            #expect(error.code == .busy)
        }
        holder.close()
        try await expectUndisturbed("/dev/ttyUSB0", by: source)
        let line = machine.receiver(strangers[0])
        await expectRetry(of: line, by: source)
        // On the polling thread, because the source listens only for some seconds.
        _ = fcntl(line, F_SETFL, O_RDWR | O_NONBLOCK)
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                _ = ScriptedReceiver.epoch(0).withUnsafeBytes {
                    write(line, $0.baseAddress, $0.count)
                }
                _ = await Poller.shared.sleep(until: .now + .milliseconds(20))
            }
        }
        let candidate = try await source.openToListen()
        sending.cancel()
        #expect(candidate.name == "/dev/ttyUSB0", "listened to once it can be opened")
        candidate.close()

        let ublox = Umockdev.Device(vendor: "1546", product: "01a7", tty: "ttyACM1", number: 4)
        async let opened = openWhenThere(source, availability)
        #expect(machine.plug(ublox))
        let connection = try await opened
        #expect(connection.name == "/dev/ttyACM1")
        let found = try #require(DeviceDiscovery.receivers().first { $0.path == "/dev/ttyACM1" })
        #expect(found.vendor == 0x1546 && found.product == 0x01a7)
        #expect(found.known?.name == "u-blox 7")
        #expect(found.productName == "GNSS receiver" && found.manufacturerName == "Maker")
        #expect(found.serialNumber == nil)
        #expect(found.driver == "cdc_acm" && found.interfaceNumber == 2)
        #expect(found.port == "pci-0000:00:14.0-usb-0:3:1.0")

        write(machine.receiver(ublox), "$GPRMC", 6)
        #expect(try await connection.collect(6) == Array("$GPRMC".utf8))
        let declared = Umockdev.Device(
            vendor: "10c4", product: "ea60", tty: "ttyUSB2", number: 5,
            properties: ["ID_GPSBRIDGE=1"])
        #expect(machine.plug(declared))
        #expect(try await source.open().name == "/dev/ttyUSB2", "the first is in use")
        async let failure = connection.failure()
        machine.unplug(ublox)
        #expect(await failure?.code == .disconnected)
        #expect(try await source.open().name == "/dev/ttyUSB2")
    }

    /// Another program has the tty open without a lock, like that of a printer.
    private func expectUndisturbed(_ path: String, by source: FirstReceiverSource) async throws {
        let terminal = Node(path).realPath
        let program = try await CommandRun(
            "/bin/sh", words: ["-c", "exec 3<\"$0\"; exec sleep 600", terminal])
        await program.waitUntilOpen(terminal)
        do throws(DeviceError) {
            _ = try await source.openToListen()
            Issue.record("another program uses it")
        } catch {
            #expect(error.code == .busy)
        }
        program.send(SIGKILL)
        _ = await program.status()
    }

    /// The kernel refuses to open a locked pseudo terminal with EIO, as it often does a device that
    /// has just been plugged in.
    private func expectRetry(of line: CInt, by source: FirstReceiverSource) async {
        // TIOCSPTLCK is not imported into Swift.
        var isLocked: CInt = 1
        #expect(ioctl(line, 0x4004_5431, &isLocked) == 0)
        do throws(DeviceError) {
            _ = try await source.openToListen()
            Issue.record("it cannot be opened")
        } catch {
            #expect(error.code == .ioFailed)
        }
        isLocked = 0
        #expect(ioctl(line, 0x4004_5431, &isLocked) == 0)
    }

    private func openWhenThere(
        _ source: some DeviceSource, _ availability: any DeviceAvailability
    ) async throws -> any DeviceConnection {
        while true {
            switch await source.attempt() {
            case .success(let connection): return connection
            // umockdev lists a device before its node exists; the event follows both.
            case .failure(let error) where [.noReceiver, .notFound].contains(error.code):
                await availability.next(until: nil)
            case .failure(let error): throw error
            }
        }
    }
}
