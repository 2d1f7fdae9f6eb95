// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSServer

/// Shows receivers on a web page for browsers on this machine.
struct WebMonitor {
    /// The preferred port, common for web servers that don't run as root. If it is in use, any free
    /// port is used.
    private static let port: UInt16 = 8080

    let sources: [any DeviceSource]

    /// Serves the page and prints its address.
    ///
    /// - Throws: `ServerError` if no port is available.
    func run() async throws {
        let (server, address) = try await listening { StandardError.print($0) }
        try StandardOutput().write("\(address)\n")
        await server.run()
    }

    /// Serves the page while `work` also shows the receivers. `work` receives the page's address.
    ///
    /// - Throws: `ServerError` if no port is available, and the errors of `work`.
    func run(beside work: @escaping @Sendable (_ address: String) async throws -> Void) async throws
    {
        // Messages are dropped here, because `work` prints the same ones.
        let (server, address) = try await listening { _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await server.run() }
            try await work(address)
        }
    }

    private func listening(
        _ log: @escaping @Sendable (String) -> Void
    ) async throws -> (server: ReceiverServer, address: String) {
        let server: ReceiverServer
        do {
            server = try await listening(port: Self.port, log)
        } catch is ServerError {
            server = try await listening(port: 0, log)
        }
        return (server, "http://localhost:\(server.httpPort ?? Self.port)/")
    }

    private func listening(
        port: UInt16, _ log: @escaping @Sendable (String) -> Void
    ) async throws -> ReceiverServer {
        var configuration = ServerConfiguration()
        configuration.gpsd = []
        configuration.http = [.loopback(port: port)]
        let server = try ReceiverServer(
            sources: sources, configuration: configuration, log: log)
        try await server.listen()
        return server
    }
}
