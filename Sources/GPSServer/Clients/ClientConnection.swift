// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Glibc

/// A connected socket of one client. The server never waits for it: a client that has read nothing
/// for `timeout` is disconnected.
package final class ClientConnection: Sendable {
    /// The limit of bytes waiting for one client, in addition to the kernel's buffer.
    package static let queueLimit = 512 * 1024
    /// The size of the kernel's send buffer: enough for a burst. A larger one would hold older
    /// reports.
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
            // Fails for Unix sockets, which need neither option.
            setsockopt(fd, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, size)
            setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, size)
        }
    }

    /// The number of report chunks dropped because the client was slow.
    package var droppedCount: Int { outbox.droppedCount }

    /// The poller that waits for the client, and its clock.
    package var poller: Poller { descriptor.poller }

    /// Reads bytes from the client, waiting until the deadline.
    package func read(until deadline: MonotonicInstant? = nil) async -> Descriptor.Input {
        await descriptor.read(atMost: 4096, until: deadline)
    }

    /// Waits until there is room for a reply, so that no more requests are read before.
    package func waitForRoom(for reply: [UInt8]) async {
        await outbox.waitForRoom(for: reply.count)
    }

    /// Sends bytes that are never dropped, however many wait: a greeting, a reply or an error.
    package func send(kept bytes: [UInt8]) {
        outbox.send(kept: bytes)
    }

    /// Sends reports, whole lines; drops the oldest waiting ones if the client is slow.
    package func send(reports bytes: [UInt8]) {
        outbox.send(droppable: bytes)
    }

    /// Disconnects the client. Closing again has no effect.
    package func close() {
        outbox.close()
        descriptor.close()
    }
}
