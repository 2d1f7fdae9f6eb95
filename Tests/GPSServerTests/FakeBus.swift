// SPDX-License-Identifier: MIT
import GPSFormats
import GPSIO
import GPSServer
import GPSTestSupport
import Glibc
import Synchronization
import Testing

/// A bus without a kernel that supports CAN: sockets that keep the limits of frames.
final class FakeBus: Sendable {
    /// The other ends of the sockets, in the order in which they were opened.
    private let ends = Witness<End>()
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
        ends.note(End(Descriptor(pair[1])))
        return Descriptor(pair[0], poller: .clients)
    }

    /// Closes the socket that was opened last, and waits until the bus is opened again.
    func fail() async throws {
        let all = ends.all
        try #require(all.last).descriptor.close()
        _ = await ends.first(all.count + 1)
    }

    /// Waits until the bus is open, and returns the next frame that passes a test.
    func frame(where isWanted: (NMEA2000Frame) -> Bool) async throws -> NMEA2000Frame {
        while true {
            let all = ends.all
            while let frame = await all.last?.next() {
                if isWanted(frame) { return frame }
            }
            guard all.last?.isEmpty ?? true else { throw IOError(.open, "the bus", errno: EPIPE) }
            // A server opens the bus once only to check it, so the first socket ends without frames.
            guard await ends.first(all.count + 1).count > all.count else {
                throw CancellationError()
            }
        }
    }

    /// Sends a frame as another device.
    func send(_ frame: NMEA2000Frame) async throws {
        let bytes = CANSocket.frame(frame.identifier, frame.bytes)
        #expect(try await #require(ends.all.last).descriptor.write(all: bytes) == 0)
    }

    /// The other end of a pair of sockets.
    private final class End: Sendable {
        let descriptor: Descriptor
        /// The frames, and `nil` at the end.
        private let frames = Witness<NMEA2000Frame?>()
        /// The number of frames that the test has got; `nil` before it wants the first one.
        private let count = Mutex<Int?>(nil)

        init(_ descriptor: Descriptor) {
            self.descriptor = descriptor
        }

        /// Whether no frame has arrived.
        var isEmpty: Bool { !frames.all.contains { $0 != nil } }

        /// Returns the next frame; `nil` at the end.
        ///
        /// From the first call on, all frames are read immediately. Otherwise, the bus would be
        /// full if the test is delayed, and the server would drop messages.
        func next() async -> NMEA2000Frame? {
            let index = count.withLock { count in
                defer { count = (count ?? 0) + 1 }
                return count
            }
            if index == nil { Task(executorPreference: Poller.shared) { await self.read() } }
            // After the end, no more frames arrive.
            if frames.all.last == .some(nil), frames.all.count <= index ?? 0 { return nil }
            return await frames.first((index ?? 0) + 1).dropFirst(index ?? 0).first ?? nil
        }

        private func read() async {
            while case .bytes(let bytes) = await descriptor.read(atMost: 64, until: nil),
                let (identifier, data) = CANSocket.content(of: bytes)
            {
                frames.note(NMEA2000Frame(identifier: identifier, bytes: data))
            }
            frames.note(nil)
        }
    }
}
