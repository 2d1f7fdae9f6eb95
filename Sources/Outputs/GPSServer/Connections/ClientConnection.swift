// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import Glibc

/// The connected socket of one client. Sending never waits: if the client has read nothing for
/// `timeout`, it is disconnected.
package final class ClientConnection: ReportRecipient {
    /// The maximum number of bytes queued for one client, in addition to the kernel's send buffer.
    package static let queueLimit = 512 * 1024
    /// The size of the kernel's send buffer in bytes. It holds the reports of one cycle. A larger
    /// buffer would fill with outdated reports.
    private static let kernelBuffer: CInt = 64 * 1024

    private let descriptor: Descriptor
    private let outbox: Outbox

    /// Creates a connection that owns a connected, non-blocking socket.
    package init(
        _ descriptor: Descriptor, timeout: Duration = .seconds(180),
        queueLimit: Int = ClientConnection.queueLimit, budget: OutputBudget = OutputBudget()
    ) {
        self.descriptor = descriptor
        outbox = Outbox(
            .descriptor(descriptor, by: .send, timeout: timeout), limit: queueLimit,
            budget: budget, events: Outbox.Events { _ in descriptor.close() })
        _ = descriptor.use { fd in
            SocketOption.set(fd, SOL_SOCKET, SO_SNDBUF, to: Self.kernelBuffer)
            // This fails for Unix sockets, which need neither option.
            SocketOption.set(fd, CInt(IPPROTO_TCP), TCP_NODELAY)
            SocketOption.set(fd, SOL_SOCKET, SO_KEEPALIVE)
        }
    }

    /// The number of report chunks dropped because the client was slow.
    package var droppedCount: Int { outbox.droppedCount }

    /// The poller that waits for the client's socket. Its clock is used for deadlines.
    package var poller: Poller { descriptor.poller }

    /// Reads up to 4096 bytes from the client. Returns `.silence` if none arrive before the
    /// deadline.
    package func read(until deadline: MonotonicInstant? = nil) async -> Descriptor.Input {
        await descriptor.read(atMost: 4096, until: deadline)
    }

    /// Waits until the queue has space for a reply. Call it before reading the next request, so
    /// that replies do not accumulate.
    package func waitForRoom(for reply: [UInt8]) async {
        await outbox.waitForRoom(for: reply.count)
    }

    /// Sends bytes that must not be dropped, however full the queue is: a greeting, a reply or an
    /// error.
    package func send(kept bytes: [UInt8]) {
        outbox.send(kept: bytes)
    }

    /// Sends complete report lines. If the queue is full because the client is slow, the oldest
    /// queued reports are dropped.
    package func send(reports bytes: [UInt8]) {
        outbox.send(droppable: bytes)
    }

    /// Serves a client that receives only the reports that `filter` selects, until it disconnects or
    /// the task is cancelled.
    func serve(_ filter: ReportFilter, from hub: ReportHub) async {
        await whileOpen {
            hub.set(filter, for: self)
            await self.ignoreInput()
            hub.remove(self)
        }
    }

    /// Ignores bytes from the client, until it disconnects or the task is cancelled. A client that
    /// only closes its sending side, such as `nc -N`, stays connected.
    func ignoreInput() async {
        while true {
            switch await read() {
            case .bytes, .silence: continue
            case .hangup, .cancelled, .failed: return
            case .end: return await waitForHangup()
            }
        }
    }

    /// Waits until the client, which has closed its sending side, also stops receiving.
    private func waitForHangup() async {
        _ = descriptor.use { fd in
            // If no data passes for a minute, the kernel checks whether the client is still
            // connected.
            SocketOption.set(fd, CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: 60)
        }
        _ = await descriptor.hangup()
    }

    /// Calls `body`, then disconnects the client. Cancelling the task also disconnects it.
    func whileOpen(_ body: () async -> Void) async {
        await withTaskCancellationHandler {
            await body()
            self.close()
        } onCancel: {
            self.close()
        }
    }

    /// Disconnects the client. Closing again has no effect.
    package func close() {
        outbox.close()
        descriptor.close()
    }
}

extension Poller {
    /// The poller for the clients of all servers in the process. It has its own thread, so that
    /// requests do not wake the thread that reads receivers.
    package static let clients = Poller(name: "gps-clients")
}
