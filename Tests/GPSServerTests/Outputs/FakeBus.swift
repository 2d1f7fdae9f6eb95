// SPDX-License-Identifier: MIT
import GPSFormats
import GPSIO
import GPSServer
import Glibc
import Synchronization
import Testing

/// A bus without a kernel that supports CAN: sockets that keep the limits of frames.
final class FakeBus: Sendable {
    private let ends = Mutex<[Descriptor]>([])
    private let downCount: Atomic<Int>

    /// Creates a bus whose interface is down for the first `downCount` attempts to open it.
    init(downCount: Int = 0) {
        self.downCount = Atomic(downCount)
    }

    /// Opens the bus, as a server does. The former other end is closed.
    func open() throws(IOError) -> Descriptor {
        guard downCount.subtract(1, ordering: .relaxed).oldValue <= 0 else {
            throw IOError(.open, "the bus", errno: ENETDOWN)
        }
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw IOError(.create, "a pair of sockets")
        }
        let end = Descriptor(pair[1])
        ends.withLock { $0.append(end) }
        return Descriptor(pair[0], poller: .clients)
    }

    /// How often the bus has been opened.
    var count: Int { ends.withLock { $0.count } }

    /// The other end of the sockets that were opened last.
    func end() throws -> Descriptor {
        let last = ends.withLock { $0.last }
        return try #require(last)
    }

    /// Returns the next frame that passes a test.
    func frame(where isWanted: (NMEA2000Frame) -> Bool) async throws -> NMEA2000Frame {
        while true {
            guard case .bytes(let bytes) = try await end().read(atMost: 64, until: nil) else {
                throw IOError(.open, "the bus", errno: EPIPE)
            }
            let (identifier, data) = try #require(CANSocket.content(of: bytes))
            let frame = NMEA2000Frame(identifier: identifier, bytes: data)
            if isWanted(frame) { return frame }
        }
    }

    /// Sends a frame as another device.
    func send(_ frame: NMEA2000Frame) async throws {
        let bytes = CANSocket.frame(frame.identifier, frame.bytes)
        #expect(try await end().write(all: bytes) == 0)
    }
}
