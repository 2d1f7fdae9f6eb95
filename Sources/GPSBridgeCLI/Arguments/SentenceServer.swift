// SPDX-License-Identifier: MIT
import Devices
import Synchronization

/// A server of sentences by TCP, made certain not to be a gpsd: that greets, and then waits to be asked.
struct SentenceServer: DeviceSource {
    private let server: TCPSource

    init(_ server: TCPSource) {
        self.server = server
    }

    var name: String { server.name }
    var origin: DataOrigin { server.origin }
    var identity: SourceIdentity { server.identity }

    func open() async throws(DeviceError) -> any DeviceConnection {
        SentenceConnection(try await server.open())
    }

    func availability() -> (any DeviceAvailability)? { server.availability() }
}

/// A connection to a server, whose first bytes are looked at.
private final class SentenceConnection: DeviceConnection {
    /// What a gpsd sends to all who connect.
    private static let greeting = Array("{\"class\":\"VERSION\"".utf8)

    private let connection: any DeviceConnection
    private let isFirst = Atomic<Bool>(true)

    init(_ connection: any DeviceConnection) {
        self.connection = connection
    }

    var name: String { connection.name }

    /// Throws `.gpsd` where the first bytes are a gpsd's greeting.
    func read(until deadline: ContinuousClock.Instant?) async throws(DeviceError) -> DeviceInput {
        let input = try await connection.read(until: deadline)
        guard case .bytes(let bytes) = input, isFirst.load(ordering: .relaxed) else { return input }
        isFirst.store(false, ordering: .relaxed)
        if bytes.starts(with: Self.greeting) { throw DeviceError(.gpsd, device: name) }
        return input
    }

    func close() {
        connection.close()
    }
}
