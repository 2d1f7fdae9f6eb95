// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSCommands
import GPSIO
import GPSReceivers
import Glibc

/// Standard output of a monitor: an ``Outbox`` that delays nothing else.
///
/// A source that can wait is read no further while the reader is slow. Of receivers the oldest reports are dropped, and
/// counted, where more than `limit` bytes wait.
final class MonitorOutput: Sendable {
    /// The most that waits for a slow reader.
    private static let limit = 4 << 20
    /// The time for which a command that was ended by a signal waits for the disk.
    private static let fileLimit = Duration.seconds(5)

    /// The output as a member of its sessions: a source that can pause waits for it.
    let member = SessionMember()
    private let poller: Poller
    private let isFile: Bool
    private let outbox: Outbox

    /// Takes over standard output; `head` is written before the first report, `onFailure` is called when it cannot be
    /// written any more.
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
        // Such as what stands for a closed output: it is not to be opened for writing.
        guard kind != nil, fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            return .descriptor(shared, by: .write)
        }
        // A description of our own, which may be non-blocking; another user's may not be opened.
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

    /// Reports what was lost to a slow reader or a slow disk.
    func reportLosses() {
        let count = outbox.droppedCount
        guard count > 0 else { return }
        StandardError.say("\(count) reports were lost to a slow \(isFile ? "disk" : "reader")")
    }

    /// Writes a report, whole lines; none is dropped of a source that can wait.
    ///
    /// Calls `onFailure` with `StandardOutput.Closed` or a `StandardOutput.Failure` where that fails.
    func write(_ report: [UInt8], canWait: Bool) {
        if canWait { outbox.send(kept: report) } else { outbox.send(droppable: report) }
    }

    /// Waits until everything is written.
    ///
    /// Throws what `onFailure` is called with, or `CancellationError`.
    func finish() async throws {
        do {
            try await outbox.finish()
        } catch let error as IOError {
            throw Self.error(error.errno)
        }
    }

    /// Waits, although the task has been cancelled, until a file has what was reported; no longer than `fileLimit`.
    ///
    /// Throws an `ExitStatus` if it has not, after reporting why.
    func finishFile() async throws {
        guard isFile else { return }
        do {
            try await outbox.finish(until: poller.now + Self.fileLimit, by: poller)
        } catch {
            StandardError.say("\(Self.error(error.errno))")
            throw ExitStatus.failed
        }
        let count = outbox.pendingCount
        guard count > 0 else { return }
        StandardError.say(
            "\(count) bytes were not written: the disk of standard output is too slow")
        throw ExitStatus.failed
    }
}
