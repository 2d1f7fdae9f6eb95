// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Glibc

/// A connected socket of one client. The server never waits for it: a client that has read nothing for
/// `timeout` is disconnected.
package final class ClientConnection: Sendable {
    /// The most bytes that wait for one client, in addition to the kernel's buffer.
    package static let queueLimit = 512 * 1024
    /// The size of the kernel's buffer: enough for a burst; more would only hold older reports.
    private static let kernelBuffer: CInt = 64 * 1024

    private let descriptor: Descriptor
    private let outbox: Outbox

    /// Creates a connection from a connected, non-blocking socket, which it closes.
    package init(
        _ descriptor: Descriptor, timeout: Duration = .seconds(180),
        queueLimit: Int = ClientConnection.queueLimit, budget: OutputBudget = OutputBudget()
    ) {
        self.descriptor = descriptor
        outbox = Outbox(
            .descriptor(descriptor, by: .send, timeout: timeout), limit: queueLimit,
            budget: budget, events: Outbox.Events { _ in descriptor.close() })
        _ = descriptor.use { fd in
            let size = socklen_t(MemoryLayout<CInt>.size)
            var (buffer, yes) = (Self.kernelBuffer, CInt(1))
            setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, size)
            // Fails for Unix sockets, which need neither.
            setsockopt(fd, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, size)
            setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, size)
        }
    }

    /// The number of chunks of reports that the client was too slow to receive.
    package var droppedCount: Int { outbox.droppedCount }

    /// The thread that waits for the client, and its clock.
    package var poller: Poller { descriptor.poller }

    /// Waits for bytes from the client.
    package func read(until deadline: MonotonicInstant? = nil) async -> Descriptor.Input {
        await descriptor.read(atMost: 4096, until: deadline)
    }

    /// Sends a reply once there is room for it: it is never dropped, and the client is not asked for more requests
    /// before. Then others have their turn on the thread.
    package func send(reply bytes: [UInt8]) async {
        await outbox.waitForRoom(for: bytes.count)
        send(kept: bytes)
        await Task.yield()
    }

    /// Sends bytes that are never dropped, such as the greeting and the last message.
    package func send(kept bytes: [UInt8]) {
        outbox.send(kept: bytes)
    }

    /// Sends reports, in whole lines. If the client is slow, the oldest waiting ones are dropped.
    package func send(reports bytes: [UInt8]) {
        outbox.send(droppable: bytes)
    }

    /// Disconnects. Closing again does nothing.
    package func close() {
        outbox.close()
        descriptor.close()
    }
}
