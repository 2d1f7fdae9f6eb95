// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSCommands
import GPSIO
import GPSReceivers
import Glibc

/// Standard output of a monitor: an ``Outbox``, so that a slow reader delays nothing else.
///
/// A source that can pause does so while the reader is slow. For receivers, the oldest reports are dropped and
/// counted when more than `limit` bytes wait.
final class MonitorOutput: Sendable {
    /// The maximum number of bytes that wait for a slow reader.
    private static let limit = 4 << 20
    /// The time that a command ended by a signal waits for the disk.
    private static let fileLimit = Duration.seconds(5)

    /// The output as a member of its sessions: a source that can pause waits for it.
    let member = SessionMember()
    private let poller: Poller
    private let isFile: Bool
    private let outbox: Outbox

    /// Takes over standard output and writes `head`. `onFailure` is called when writing fails.
    init(
        head: [UInt8] = [], poller: Poller = .shared,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.poller = poller
        isFile = RegularFile(STDOUT_FILENO) != nil
        outbox = Outbox(
            isFile
                ? .background(poller) { Descriptor.write(all: $0, to: STDOUT_FILENO) }
                : Self.open(poller), limit: Self.limit, head: head,
            events: Outbox.Events(setFull: member.flow.setFull) { onFailure(Self.error($0)) })
    }

    private static func open(_ poller: Poller) -> Outbox.Destination {
        let shared = Descriptor(STDOUT_FILENO, owned: false, poller: poller)
        let kind = Node.Kind(of: STDOUT_FILENO)
        if kind == .socket { return .descriptor(shared, by: .send) }
        // For example /dev/null opened for reading in place of a closed output: don't reopen it for writing.
        guard kind != nil, fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            return .descriptor(shared, by: .write)
        }
        // Our own open file description, so that non-blocking mode affects no other process. This fails for the
        // terminal of another user.
        let own = Glibc.open(
            "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return own >= 0
            ? .descriptor(Descriptor(own, poller: poller), by: .write)
            : .descriptor(shared, by: .pieces)
    }

    private static func error(_ errno: CInt) -> any Error {
        [EPIPE, ECANCELED].contains(errno)
            ? StandardOutput.Closed() : StandardOutput.Failure(errno: errno)
    }

    /// Reports the number of reports lost to a slow reader or a slow disk.
    func reportLosses() {
        let count = outbox.droppedCount
        guard count > 0 else { return }
        StandardError.print("\(count) reports were lost to a slow \(isFile ? "disk" : "reader")")
    }

    /// Appends a report of whole lines. With `canWait`, none is dropped: the source pauses instead.
    ///
    /// Calls `onFailure` with `StandardOutput.Closed` or a `StandardOutput.Failure` if writing fails.
    func write(_ report: [UInt8], canWait: Bool) {
        if canWait { outbox.send(kept: report) } else { outbox.send(droppable: report) }
    }

    /// Waits until everything is written.
    ///
    /// Throws the error that `onFailure` is called with, or `CancellationError`.
    func finish() async throws {
        do {
            try await outbox.finish()
        } catch let error as IOError {
            throw Self.error(error.errno)
        }
    }

    /// Waits until all reports are in the file, even in a cancelled task, but no longer than `fileLimit`.
    ///
    /// Throws an `ExitStatus` if some are not, after reporting why.
    func finishFile() async throws {
        guard isFile else { return }
        do {
            try await outbox.finish(until: poller.now + Self.fileLimit, by: poller)
        } catch {
            StandardError.print("\(Self.error(error.errno))")
            throw ExitStatus.failed
        }
        let count = outbox.pendingCount
        guard count > 0 else { return }
        StandardError.print(
            "\(count) bytes were not written: the disk of standard output is too slow")
        throw ExitStatus.failed
    }
}
