// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import NMEA
import SimulatedDevices
import Testing

/// The output through a tty.
@Suite(.timeLimit(.generous))
struct SimulatedTerminalTests {
    private static let text = Array("$GPGGA,120000.00,,,,,8*00\r\n".utf8)

    private func read(
        at rate: BaudRate, of configuration: SimulatedReceiver.Configuration
    ) async throws -> [UInt8] {
        let terminal = try SimulatedTerminal(configuration)
        defer { terminal.close() }
        let path = try #require(terminal.path)
        let connection = try await SerialSource(path, baudRate: rate).open()
        await terminal.send(Self.text)
        guard case .bytes(let bytes) = try await connection.read(until: nil) else {
            return []
        }
        return bytes
    }

    @Test func `a program that reads at the receiver's rate gets sentences, at another rate noise`()
        async throws
    {
        var configuration = SimulatedReceiver.Configuration()
        configuration.baudRate = .nmea
        #expect(try await read(at: .nmea, of: configuration) == Self.text)
        let noise = try await read(at: .default, of: configuration)
        #expect(noise == MisreadLine.read(Self.text, sentAt: 4800, readAt: 9600))
        #expect(noise != Self.text)
    }

    @Test func `without a rate it can be read at any`() async throws {
        #expect(try await read(at: .nmea, of: .init()) == Self.text)
        #expect(try await read(at: .default, of: .init()) == Self.text)
    }

    @Test func `unplugging removes the link; plugging in creates the same or another`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let plugs = Witness<String?>()
        let terminal = try SimulatedTerminal(.init(), link: link) { plugs.note($0) }
        #expect(access(link, F_OK) == 0)
        terminal.unplug()
        #expect(terminal.path == nil)
        #expect(access(link, F_OK) != 0)
        try terminal.plug(as: nil)
        #expect(terminal.path == link)
        #expect(access(link, F_OK) == 0)
        terminal.unplug()
        try terminal.plug(as: "gps1")
        #expect(terminal.path == folder.path("gps1"))
        #expect(access(link, F_OK) != 0)
        terminal.close()
        #expect(access(folder.path("gps1"), F_OK) != 0)
        // It stays closed.
        try terminal.plug(as: nil)
        #expect(terminal.path == nil)
        #expect(plugs.all == [nil, link, nil, folder.path("gps1")])
    }

    @Test func `a stale link is replaced, any other file is kept`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        try #require(symlink("/dev/pts/987654", link) == 0)
        try SimulatedTerminal(.init(), link: link).close()
        #expect(access(link, F_OK) != 0)
        try #require(symlink("/dev/null", link) == 0)
        let error = #expect(throws: DeviceError.self) {
            _ = try SimulatedTerminal(.init(), link: link)
        }
        #expect(error?.code == .nameTaken)
        #expect(access(link, F_OK) == 0)
    }

    @Test func `bytes without a reader are counted`() async throws {
        let terminal = try SimulatedTerminal(.init())
        await terminal.send(Self.text)
        #expect(terminal.droppedByteCount == Self.text.count)
    }
}
