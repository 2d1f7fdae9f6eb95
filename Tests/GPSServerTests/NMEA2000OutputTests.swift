// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing

/// NMEA 2000 by `serve`.
@Suite(.timeLimit(.generous))
struct NMEA2000OutputTests {
    private static let unknown: [UInt8] = [255, 255, 255, 127, 255, 255, 255, 127]
    private static let claim: UInt32 = 60928
    private static let position: UInt32 = 129025

    /// Runs a server with a receiver and a bus.
    private static func serve(
        _ bus: FakeBus, isWatched: Bool = true,
        _ body: (ReceiverServer, ScriptedReceiver) async throws -> Void
    ) async throws {
        let receiver = try ScriptedReceiver()
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        if !isWatched { configuration.watchInterfaces = { nil } }
        configuration.nmea2000 = "can7"
        configuration.openCAN = { _ throws(IOError) in try bus.open() }
        let server = try ReceiverServer(sources: [receiver.source], configuration: configuration)
        try await server.whileRunning { server in
            await receiver.waitForReader()
            try await body(server, receiver)
        }
    }

    @Test func `an address is claimed, and positions follow until the receiver is lost`()
        async throws
    {
        let bus = FakeBus()
        try await Self.serve(bus) { server, receiver in
            try await receiver.sendEpochs {
                let first = try await bus.frame { _ in true }
                #expect(first.group == Self.claim)
                let position = try await bus.frame { $0.group == Self.position }
                #expect(position.source == first.source)
                #expect(position.bytes != Self.unknown)
                let complete = try await bus.frame { $0.group == 129029 && $0.bytes[0] & 31 == 0 }
                #expect(complete.bytes[1] == 43)
            }
            try await server.setSources([])
            let lost = try await bus.frame {
                $0.group == Self.position && $0.bytes == Self.unknown
            }
            #expect(lost.priority == 2)
        }
    }

    @Test func `the end of the server is the end of the position`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { _, receiver in
            try await receiver.sendEpochs {
                _ = try await bus.frame { $0.group == Self.position && $0.bytes != Self.unknown }
            }
        }
        let lost = try await bus.frame { $0.group == Self.position && $0.bytes == Self.unknown }
        #expect(lost.group == Self.position)
    }

    @Test func `a device with a lower name gets the address`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { _, _ in
            let first = try await bus.frame { $0.group == Self.claim }
            var other = first
            other.bytes = NMEA2000Name(rawValue: 1).bytes
            try await bus.send(other)
            let second = try await bus.frame { $0.group == Self.claim }
            #expect(second.source != first.source)
            #expect(second.bytes == first.bytes)
        }
    }

    @Test func `other devices get the product information`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { _, receiver in
            try await receiver.sendEpochs {
                // Now the address may be used.
                let position = try await bus.frame { $0.group == Self.position }
                try await bus.send(
                    NMEA2000Frame(
                        priority: 6, group: 59904, source: 9, destination: position.source,
                        bytes: [0x14, 0xF0, 0x01]))
                let answer = try await bus.frame { $0.group == 126996 }
                #expect(answer.bytes[1] == 134)
            }
        }
    }

    @Test func `a bus that accepts nothing delays no client`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { server, receiver in
            let client = try TestClient(port: server.port ?? 0)
            client.send("?WATCH={\"enable\":true,\"json\":true};\n")
            try await receiver.sendEpochs {
                for _ in 0..<300 {
                    let line = await client.line(with: #""class":"TPV""#)
                    try #require(line != nil)
                }
            }
        }
    }

    @Test func `a bus that has failed is opened again`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { _, receiver in
            try await receiver.sendEpochs {
                _ = try await bus.frame { $0.group == Self.position }
                try await bus.fail()
                let first = try await bus.frame { _ in true }
                #expect(first.group == Self.claim, "\(first)")
                _ = try await bus.frame { $0.group == Self.position }
            }
        }
    }

    @Test func `the bus is opened later even if the kernel reports no changes of interfaces`()
        async throws
    {
        // The server's check at the start is the first attempt.
        let bus = FakeBus(downCount: 2)
        try await Self.serve(bus, isWatched: false) { _, _ in
            let first = try await bus.frame { _ in true }
            #expect(first.group == Self.claim)
        }
    }

    @Test func `the metrics count the messages that the bus did not accept`() async throws {
        let bus = FakeBus()
        try await Self.serve(bus) { server, _ in
            let client = try TestClient(port: server.httpPort ?? 0)
            client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let line = await client.line(with: "gpsbridge_nmea2000_messages_dropped_total 0")
            #expect(line != nil)
        }
    }

    @Test(arguments: [
        ("lo", "it is not a CAN interface"), ("gpsbridge-none", "there is no such interface"),
    ])
    func `an interface that cannot be used is an error at the start`(
        interface: String, reason: String
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.nmea2000 = interface
        let server = try ReceiverServer(sources: [], configuration: configuration)
        let error = await #expect(throws: ServerError.self) { try await server.listen() }
        #expect(
            error?.description.hasPrefix("cannot use the CAN interface \(interface): \(reason)")
                == true)
    }

    @Test func `an interface that is down can be brought up later`() async throws {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.nmea2000 = "can7"
        configuration.openCAN = { name throws(IOError) in
            throw IOError(.open, name, errno: ENETDOWN)
        }
        let server = try ReceiverServer(sources: [], configuration: configuration)
        try await server.listen()
        #expect(server.addresses == ["sending NMEA 2000 to can7"])
    }

    @Test func `the last messages are written when a full bus accepts them, despite cancellation`()
        async throws
    {
        let bus = FakeBus()
        let descriptor = try bus.open()
        // No message becomes too old during the test.
        let later = MonotonicInstant.now + .seconds(3600)
        func message(_ byte: UInt8) -> [NMEA2000Frame] {
            NMEA2000Message(.position, [byte]).frames(from: 1, sequence: 0)
        }
        var queue = NMEA2000Queue()
        while queue.write(to: descriptor, at: later) == 0 { queue.append(message(1), at: later) }
        queue.append(message(2), at: later)
        let rest = queue
        let writing = Task { await rest.finish(writingTo: descriptor, until: later) }
        writing.cancel()
        let last = try await bus.frame { $0.bytes[0] == 2 }
        #expect(last.group == Self.position)
        await writing.value
    }

    @Test func `messages that wait too long, or are too many, are dropped`() throws {
        let bus = FakeBus()
        let descriptor = try bus.open()
        let now = MonotonicInstant.now
        let message = NMEA2000Message(.position, [1]).frames(from: 1, sequence: 0)
        var queue = NMEA2000Queue()
        var error: CInt = 0
        while error == 0 {
            queue.append(message, at: now)
            error = queue.write(to: descriptor, at: now)
        }
        #expect(error == EAGAIN)
        #expect(queue.droppedCount == 0)
        for _ in 0..<100 { queue.append(message, at: now) }
        #expect(queue.droppedCount == 37)
        #expect(queue.write(to: descriptor, at: now + .seconds(2)) == 0)
        #expect(queue.droppedCount == 101)
    }
}
