// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSServer

/// Shows receivers on a page in a browser of this machine.
struct WebMonitor {
    /// A common port of web servers that don't run as root.
    private static let port: UInt16 = 8080

    let sources: [any DeviceSource]

    /// Serves the page, and prints its address.
    ///
    /// Throws a `ServerError` if no port is available.
    func run() async throws {
        let server: ReceiverServer
        do {
            server = try await listening(port: Self.port)
        } catch is ServerError {
            server = try await listening(port: 0)
        }
        let port = server.httpPort ?? Self.port
        try StandardOutput().write(Array("http://localhost:\(port)/\n".utf8))
        await server.run()
    }

    private func listening(port: UInt16) async throws -> ReceiverServer {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.http = [.loopback(port: port)]
        let server = try ReceiverServer(sources: sources, configuration: configuration) {
            StandardError.print($0)
        }
        try await server.listen()
        return server
    }
}
