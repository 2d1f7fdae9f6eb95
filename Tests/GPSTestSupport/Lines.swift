// SPDX-License-Identifier: MIT
import GPSReceivers
import Synchronization

/// The lines received through a connection.
final class Lines: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var start = 0
    }

    private let connection: any DeviceConnection
    private let unread = Mutex(State())

    init(_ connection: any DeviceConnection) {
        self.connection = connection
    }

    /// The next line; `nil` at the end.
    func next() async throws -> String? {
        while true {
            let line = unread.withLock { unread -> String? in
                let rest = unread.bytes[unread.start...]
                guard let end = rest.firstIndex(of: 0x0A) else { return nil }
                defer { unread.start = end + 1 }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            if let line { return line }
            guard case .bytes(let bytes) = try await connection.read(until: nil) else { return nil }
            unread.withLock { unread in
                unread.bytes.removeFirst(unread.start)
                unread.start = 0
                unread.bytes += bytes
            }
        }
    }

    /// Stops reading.
    func close() {
        connection.close()
    }
}
