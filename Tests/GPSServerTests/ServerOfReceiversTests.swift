// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@testable import GPSServer

/// A server of several receivers as a source.
@Suite(.timeLimit(.generous))
struct ServerOfReceiversTests {
    private static let version = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\"}\r\n"
    private static let watching = "{\"class\":\"WATCH\",\"enable\":true}\r\n"
    private static let poll = "?POLL;\n"
    private static let watchFirst =
        "?WATCH={\"enable\":true,\"nmea\":true,\"device\":\"/dev/a\"};\n"

    private static func devices(_ paths: String...) -> String {
        let devices = paths.map {
            "{\"class\":\"DEVICE\",\"path\":\"\($0)\",\"driver\":\"NMEA0183\","
                + "\"activated\":\"2026-03-23T12:00:00.000Z\"}"
        }
        return "{\"class\":\"DEVICES\",\"devices\":[\(devices.joined(separator: ","))]}\r\n"
    }

    /// Returns the answer to `?POLL` of a server with a device in mode 3 and another one.
    private static func positions(
        _ mode: Int, _ time: String = "2026-03-23T12:35:20.000Z"
    ) -> String {
        func report(_ path: String, _ mode: Int, _ time: String) -> String {
            "{\"class\":\"TPV\",\"device\":\"\(path)\",\"mode\":\(mode),\"time\":\"\(time)\",\"lat\":1.5}"
        }
        let reports = [
            report("/dev/b", 3, "2026-03-23T12:35:19.000Z"), report("/dev/a", mode, time),
        ]
        return "{\"class\":\"POLL\",\"active\":2,\"tpv\":[\(reports.joined(separator: ","))],"
            + "\"gst\":[],\"sky\":[{\"class\":\"SKY\",\"device\":\"/dev/b\"}]}\r\n"
    }

    private static func epoch(_ second: Int) -> String {
        String(decoding: ScriptedReceiver.epoch(second), as: UTF8.self)
    }

    private static func ublox(_ driver: String) -> String {
        "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/a\"\(driver),"
            + "\"activated\":\"2026-03-23T12:00:00.000Z\"}]}\r\n"
    }
    private static let raw = "?WATCH={\"enable\":true,\"nmea\":false,\"raw\":2};\n"

    // gpsd's sentences for UBX lack the accuracy, and their positions are rounded.
    @Test func `of a u-blox receiver behind gpsd, the bytes are read, with objects between them`()
        async throws
    {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        let devices = Self.ublox(",\"driver\":\"u-blox\"")
        GPSDSourceTests.send(devices + Self.watching + Self.epoch(0), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.raw)
        GPSDSourceTests.send(
            Self.epoch(1) + devices + Self.watching + "ab{x\n{\"class\":", to: client)
        GPSDSourceTests.send("\"DEVICE\",\"path\":\"/dev/b\"}\r\n{\"cld", to: client)
        let connection = try await opening.value
        var bytes: [UInt8] = []
        while !bytes.contains(UInt8(ascii: "d")) {
            guard case .bytes(let next) = try await connection.read(until: nil) else { break }
            bytes += next
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "ab{x\n{\"cld")
    }

    @Test func `the driver of a device that gpsd has just opened is asked for with its first data`()
        async throws
    {
        for (driver, isRaw) in [("u-blox", true), ("NMEA0183", false), ("SiRF", false)] {
            let (client, opening) = try await GPSDSourceTests.openSource()
            GPSDSourceTests.send(Self.version, to: client)
            #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
            GPSDSourceTests.send(Self.ublox("") + Self.watching, to: client)
            let connection = try await opening.value
            GPSDSourceTests.send(Self.epoch(0), to: client)
            async let input = connection.read(until: nil)
            #expect(await GPSDSourceTests.request(of: client) == "?DEVICES;\n")
            GPSDSourceTests.send(Self.ublox(",\"driver\":\"\(driver)\""), to: client)
            if isRaw {
                #expect(await GPSDSourceTests.request(of: client) == Self.raw)
                GPSDSourceTests.send(Self.watching + Self.epoch(1), to: client)
            }
            #expect(try await input == .bytes(ScriptedReceiver.epoch(isRaw ? 1 : 0)))
        }
    }

    @Test func `of two receivers with positions, only one is read, until it is gone`() async throws
    {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/b", "/dev/a") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.epoch(0) + Self.positions(3), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.watchFirst)
        let connection = try await opening.value
        let answer = Self.epoch(1) + Self.devices("/dev/b", "/dev/a") + Self.watching
        GPSDSourceTests.send(answer + Self.epoch(2), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(2)))
        GPSDSourceTests.send(Self.devices("/dev/b"), to: client)
        let error = await #expect(throws: DeviceError.self) {
            try await connection.read(until: nil)
        }
        #expect(error?.code == .disconnected)
    }

    @Test func `the devices of a server are combined while only one of them has positions`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (client, opening) = try await GPSDSourceTests.openSource(poller)
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(1), to: client)
        let connection = try await opening.value
        GPSDSourceTests.send(Self.epoch(0), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(0)))

        clock.advance(by: .seconds(6))
        let reading = Task { try await connection.read(until: nil) }
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(3), to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.watchFirst)
        GPSDSourceTests.send(Self.watching + Self.epoch(3), to: client)
        #expect(try await reading.value == .bytes(ScriptedReceiver.epoch(3)))

        // Another device replaces a receiver that stops sending.
        clock.advance(by: .seconds(91))
        let error = await #expect(throws: DeviceError.self) {
            try await connection.read(until: nil)
        }
        #expect(error?.code == .disconnected)
    }

    @Test func `all devices of a server that does not support POLL are read`() async throws {
        let (client, opening) = try await GPSDSourceTests.openSource()
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send("{\"class\":\"ERROR\",\"message\":\"what?\"}\r\n", to: client)
        let connection = try await opening.value
        GPSDSourceTests.send(Self.epoch(0), to: client)
        #expect(try await connection.read(until: nil) == .bytes(ScriptedReceiver.epoch(0)))
    }

    @Test(arguments: [
        (time: "2026-03-23T12:35:20.000Z", expected: "/dev/a"),
        (time: "2026-03-23T12:20:00.000Z", expected: "/dev/b"),
    ])
    func `the first device whose position is not old is read, and decides about replays`(
        _ device: (time: String, expected: String)
    ) {
        var filter = ObjectFilter()
        let replay =
            #"{"class":"DEVICE","path":"/dev/b","subtype":"replay","activated":"x"}"# + "\r\n"
        for text in [Self.devices("/dev/a"), replay, Self.watching] {
            _ = filter.remove(from: Array(text.utf8))
        }
        let (mustPoll, early) = (filter.beginPoll(), filter.follow())
        #expect(mustPoll && early == nil)
        _ = filter.remove(from: Array(Self.positions(2, device.time).utf8))
        let followed = filter.follow()
        #expect(followed == device.expected)
        #expect(filter.isReplay == (device.expected == "/dev/b"))
        #expect(filter.hasNoReplay == (device.expected == "/dev/a"))
        let (pollsAgain, other) = (filter.beginPoll(), filter.follow())
        #expect(!pollsAgain && other == nil)
    }

    @Test func `a server that sends an object without an end does not delay the time limits`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (client, opening) = try await GPSDSourceTests.openSource(poller)
        let flood = Task {
            let bytes = Array("{\"class\":\"".utf8) + [UInt8](repeating: 0x78, count: 200_000)
            while !Task.isCancelled {
                // A full buffer accepts only a part.
                _ = client.use { Glibc.send($0, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
                clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        let connection = try await opening.value
        #expect(try await connection.read(until: poller.now + .seconds(1)) == .silence)
        flood.cancel()
        await flood.value
    }

    @Test func `a session reports which receiver of a server it reads`() async throws {
        let sockets = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
        let socket = try #require(sockets.first)
        defer { socket.close() }
        let source = GPSDSourceTests.source(try #require(socket.address?.port))
        let session = ReceiverPool(poller: source.poller).session(for: source)
        let devices = Witness<String>()
        let subscription = session.join { update in
            if case .notice(.oneDevice(let path)) = update { devices.note(path) }
        }
        let client = try #require(try await socket.accept())
        GPSDSourceTests.send(Self.version, to: client)
        #expect(await GPSDSourceTests.request(of: client) == GPSDSourceTests.plainRequest)
        GPSDSourceTests.send(Self.devices("/dev/a", "/dev/b") + Self.watching, to: client)
        #expect(await GPSDSourceTests.request(of: client) == Self.poll)
        GPSDSourceTests.send(Self.positions(3), to: client)
        #expect(await devices.first(1) == ["/dev/a"])
        withExtendedLifetime(subscription) {}
    }
}
