// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing

/// A test as the server of a source.
extension GPSDSourceTests {
    static let plainRequest = "?WATCH={\"enable\":true,\"nmea\":true};\n"

    /// A source that reads a server of this machine. It waits for each answer without a limit,
    /// because on a busy machine seconds may pass before a test sends it.
    static func source(
        _ port: UInt16, device: String? = nil, _ poller: Poller? = nil
    ) -> GPSDSource {
        var source = GPSDSource(host: "127.0.0.1", port: port, device: device)
        source.poller = poller ?? .standing
        return source
    }

    /// Opens a source at a server of the test. Returns the server's end of the connection, and the
    /// result of opening.
    static func openSource(
        _ poller: Poller? = nil
    ) async throws -> (client: Descriptor, opening: Task<any DeviceConnection, any Error>) {
        let sockets = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
        let socket = try #require(sockets.first)
        defer { socket.close() }
        let source = source(try #require(socket.address?.port), poller)
        let opening = Task { try await source.open() }
        return (try #require(try await socket.accept()), opening)
    }

    static func send(_ text: String, to client: Descriptor) {
        let bytes = Array(text.utf8)
        #expect(client.use { Glibc.write($0, bytes, bytes.count) } == bytes.count)
    }

    /// Returns the first line that a client sends.
    static func request(of client: Descriptor) async -> String {
        var request: [UInt8] = []
        while request.last != UInt8(ascii: "\n"), await client.readable() == .ready {
            request +=
                client.use { descriptor in
                    var bytes = [UInt8](repeating: 0, count: 1024)
                    let count = Glibc.read(descriptor, &bytes, bytes.count)
                    return Array(bytes.prefix(max(count, 0)))
                } ?? []
        }
        return String(decoding: request, as: UTF8.self)
    }
}
