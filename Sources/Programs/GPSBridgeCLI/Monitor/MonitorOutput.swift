// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSCommands
import GPSIO
import GPSReceivers
import Glibc

/// Writes reports to standard output. It uses an ``Outbox``, so that a slow reader does not delay
/// receivers.
///
/// If more than `limit` bytes wait, a source that can pause is paused. For a receiver, the oldest
/// reports are dropped and counted instead.
final class MonitorOutput: Sendable {
    /// The maximum number of bytes that wait for a slow reader.
    private static let limit = 4 << 20
    /// The maximum time to finish writing reports to a file after a signal has ended the command.
    private static let fileLimit = Duration.seconds(5)

    /// The output's membership in the sessions of the receivers. Through it, the output pauses
    /// sources that can pause.
    let member = SessionMember()
    private let poller: Poller
    private let isFile: Bool
    private let outbox: Outbox

    /// Takes over standard output and writes `head`. `onFailure` is called if writing fails.
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
        // The descriptor may be /dev/null, opened for reading in place of a closed output. It must
        // not be reopened for writing.
        guard kind != nil, fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
            return .descriptor(shared, by: .write)
        }
        // An open file description of its own, so that non-blocking mode does not affect other
        // processes. Opening the terminal of another user fails.
        let own = Glibc.open(
            "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return own >= 0
            ? .descriptor(Descriptor(own, poller: poller), by: .write)
            : .descriptor(shared, by: .pieces)
    }

    private static func error(_ errno: CInt) -> any Error {
        [EPIPE, ECANCELED].contains(errno)
            ? StandardOutput.Closed()
            : CommandFailure(writing: StandardOutput.ownName, errno: errno)
    }

    /// Prints the number of reports that were lost because the reader or the disk is too slow.
    func reportLosses() {
        let count = outbox.droppedCount
        guard count > 0 else { return }
        StandardError.print(
            "\(count) reports were lost: the \(isFile ? "disk" : "reader") is too slow")
    }

    /// Appends a report, which consists of complete lines. If `canWait` is `true`, the report is
    /// never dropped; the source pauses instead.
    ///
    /// Errors are passed to `onFailure` as `StandardOutput.Closed` or `CommandFailure`.
    func write(_ report: [UInt8], canWait: Bool) {
        if canWait { outbox.send(kept: report) } else { outbox.send(droppable: report) }
    }

    /// Waits until everything is written.
    ///
    /// - Throws: `StandardOutput.Closed`, `CommandFailure` or `CancellationError`.
    func finish() async throws {
        do {
            try await outbox.finish()
        } catch let error as IOError {
            throw Self.error(error.errno)
        }
    }

    /// If standard output is a file, waits until all reports are written to it, but no longer than
    /// `fileLimit`. Also waits in a cancelled task.
    ///
    /// - Throws: `ExitStatus` if some reports are not written. The reason is printed first.
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
