// SPDX-License-Identifier: MIT
import CGPSRelay
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
    var poller: Poller { descriptor.poller }

    /// Reads up to 4096 bytes from the client. Returns `.silence` if none arrive before the
    /// deadline.
    package func read(until deadline: MonotonicInstant? = nil) async -> Descriptor.Input {
        await descriptor.read(atMost: 4096, until: deadline)
    }

    /// Waits until the queue has space for a reply. Call it before reading the next request, so
    /// that replies do not accumulate.
    func waitForRoom(for reply: [UInt8]) async {
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

/// The sockets that systemd opened for this process.
///
/// The corresponding C function is `sd_listen_fds_with_names`.
package struct ActivatedSockets: Sendable {
    /// The number of the first descriptor that systemd passes.
    private static let first: CInt = 3

    /// The descriptors, keyed by the name of their socket unit or by its `FileDescriptorName=`.
    package let descriptors: [String: [CInt]]

    /// `true` if systemd passed no sockets to this process.
    package var isEmpty: Bool { descriptors.isEmpty }

    /// The sockets of this process; empty if it was not started by socket activation.
    package static var own: ActivatedSockets {
        ActivatedSockets(process: getpid()) { name in getenv(name).map { String(cString: $0) } }
    }

    /// Parses the environment variables that systemd sets. They apply only if `LISTEN_PID` equals
    /// `process`. `variable` returns the value of a variable.
    package init(process: Int32, _ variable: (String) -> String?) {
        guard variable("LISTEN_PID") == "\(process)",
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), 1...256 ~= count
        else {
            descriptors = [:]
            return
        }
        let names = variable("LISTEN_FDNAMES")?.split(
            separator: ":", omittingEmptySubsequences: false)
        var descriptors: [String: [CInt]] = [:]
        for index in 0..<Int(count) {
            let name = names.flatMap { index < $0.count ? String($0[index]) : nil } ?? "unknown"
            descriptors[name, default: []].append(Self.first + CInt(index))
        }
        self.descriptors = descriptors
    }

    /// Returns the listening sockets that systemd named `name`, or `name=` and an argument, which is
    /// returned with its socket. If `isDefault` is `true`, returns all sockets except those named
    /// `nmea` or `http`.
    func sockets(
        named name: String, isDefault: Bool = false
    ) -> [(socket: ListeningSocket, argument: Substring?)] {
        let others: Set<Substring> = ["nmea", "http"]
        return descriptors.sorted { $0.key < $1.key }.flatMap { key, descriptors in
            let parts = key.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let service = parts.first ?? ""
            let isWanted = isDefault ? !others.contains(service) : service == name
            return (isWanted ? descriptors : []).map {
                (ListeningSocket(inherited: $0, poller: .clients), parts.dropFirst().first)
            }
        }
    }
}

/// The limit of open file descriptors, and the number of clients that it permits.
enum DescriptorLimit {
    /// The number of descriptors reserved for brief use, such as probing ttys and reading system
    /// files.
    private static let spare = 16
    /// The number of descriptors without which no receiver can be opened.
    private static let minimumSpare = 4
    /// The number of descriptors reserved for each receiver, and for each kind of client.
    private static let perUser = 4

    /// Raises the soft limit to the hard limit.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise() {
        guard var limit = current else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The maximum number of open descriptors; `nil` if it cannot be determined.
    static var count: Int? { current.map { Int(clamping: $0.rlim_cur) } }

    /// Returns the maximum number of clients of each kind: at least 1, at most `wanted`. `kinds` is
    /// the number of kinds. Reserves descriptors for the receivers, and for `open` files that are
    /// neither clients nor receivers.
    static func clients(_ wanted: Int, kinds: Int, receivers: Int, open: Int) -> Int {
        guard let count else { return wanted }
        let kept = open + spare + perUser * (receivers + kinds)
        return max(1, min(wanted, (count - kept) / max(1, kinds)))
    }

    /// Throws a ``ServerError`` if the limit leaves too few descriptors for a client of each kind and
    /// for opening the receivers.
    static func check(kinds: Int, receivers: Int, open: Int) throws(ServerError) {
        let needed = open + perUser * kinds + receivers + minimumSpare
        guard let count, count < needed else { return }
        throw ServerError(.serve(files: count, needed: needed), errno: EMFILE)
    }

    private static var current: rlimit? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        return limit
    }

    /// The number of open descriptors of this process.
    static var openCount: Int {
        let count = Folder.names(in: "/proc/self/fd").count
        // The list also contains `.`, `..` and the descriptor of the folder itself.
        return count > 0 ? max(0, count - 3) : spare
    }
}

/// Removes the server's sockets and pseudo terminal links after the process has dropped the
/// necessary privileges. A helper process keeps these privileges. It removes the files even if
/// this process is killed.
package final class FileRemoval: Sendable {
    /// The maximum time to wait for the helper process to exit.
    private static let timeout = Duration.seconds(1)

    private let descriptor: Descriptor

    /// Starts the helper process for the files that exist at these paths. Call this before dropping
    /// privileges. `finish()` measures its time limit with the clock of `poller`.
    ///
    /// Throws a ``ServerError`` if no process can be started.
    package init(of paths: [String], poller: Poller = .shared) throws(ServerError) {
        let names = paths.map { strdup($0) }
        defer { for name in names { free(name) } }
        let fd = names.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            crelay_remove_at_end($0.baseAddress, $0.count)
        }
        guard fd >= 0 else {
            throw ServerError(
                cannot: "prepare to remove \(paths.joined(separator: ", "))", errno: errno)
        }
        descriptor = Descriptor(fd, poller: poller)
    }

    /// Lets the helper process remove the files, and waits until it exits, for at most a second.
    package func finish() async {
        _ = descriptor.use { shutdown($0, CInt(SHUT_WR)) }
        // The socket becomes readable when the helper exits. A new task waits for it, because the
        // current one may be cancelled.
        let descriptor = descriptor
        _ = await Task(executorPreference: descriptor.poller) {
            await descriptor.readable(until: descriptor.poller.now + Self.timeout)
        }.value
    }
}
