// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSReceivers
import Glibc

/// Records the data of a receiver's session: written at once, and flushed to the disk within a second.
struct Recorder: ~Copyable {
    private static let second = Duration.seconds(1)

    private let source: any DeviceSource
    /// Whether to record although another program reads the receiver.
    private let isShared: Bool
    private let content: any RecordContent
    private var target: RecordTarget
    private var hasOpened = false
    private var reporter: ConditionReporter
    private var lastSync = MonotonicInstant.now
    private var isUnsynced = false
    /// The number of bytes dropped before they reached the target.
    private var lostCount = 0

    init(
        _ source: any DeviceSource, isShared: Bool, content: any RecordContent,
        target: consuming RecordTarget
    ) {
        self.source = source
        self.isShared = isShared
        self.content = content
        reporter = ConditionReporter(source, .whenUseful)
        reporter.activity = "recording"
        reporter.purpose = " to \(target.name)"
        reporter.isLog = true
        self.target = target
    }

    /// Records until the source ends, or the task is cancelled.
    ///
    /// Throws an `ExitStatus` if bytes were lost, and if nothing was recorded, unless a signal of the user ended
    /// it.
    mutating func run() async throws {
        var failure: (any Error)?
        do {
            try await follow()
        } catch is CancellationError {
        } catch {
            failure = error
        }
        // Writes the bytes that arrived before a failure, too.
        content.end()
        try target.finish()
        if let failure { throw failure }
        lostCount += target.lostCount
        if lostCount > 0 {
            StandardError.print(
                "\(lostCount) bytes were lost because the disk of \(target.name) "
                    + (target.isFull ? "is full" : "was full or too slow")
                    + " (\(target.written) bytes were recorded): free some space, and record to it again"
            )
            throw ExitStatus.failed
        }
        guard target.written > 0 else {
            let remains = target.isEmpty ? "is not written" : "is unchanged"
            StandardError.print("nothing was recorded: \(target.name) \(remains)")
            if let signal = Signals.received, signal != SIGALRM { return }
            throw ExitStatus.nothingFound
        }
        let files = target.files > 1 ? " in \(target.files) files, the last" : ""
        StandardError.print("\(target.written) bytes were recorded\(files) to \(target.name)")
    }

    /// Processes the session's input until its source has ended.
    private mutating func follow() async throws {
        if let path = source.ttyPath { try refuseShared(path, isOpen: false) }
        let inbox = try RecorderInbox()
        let session = ReceiverPool.shared.session(for: source)
        // Subscribes to the bytes before the receiver is opened.
        let subscriptions = [
            session.bytes.observe { inbox.append(bytes: $0) }.scoped,
            session.join(as: inbox.member) { inbox.append($0) },
        ]
        defer { for subscription in subscriptions { subscription.dispose() } }
        while true {
            let silence = content.silenceTolerance.map { MonotonicInstant.now + $0 }
            let sync = isUnsynced ? lastSync + Self.second : nil
            let inputs = await inbox.next(
                until: [silence, sync, target.deadline].compactMap(\.self).min())
            for input in inputs where try process(input) { return }
            if inputs.isEmpty, let silence, silence <= .now { content.silence() }
            if hasOpened { try write() }
            if Task.isCancelled { return }
        }
    }

    /// Processes an input; returns whether it was the end.
    private mutating func process(_ input: RecorderInbox.Input) throws -> Bool {
        switch input {
        case .bytes(let bytes, let time):
            try target.rotate(at: time)
            content.push(bytes, at: time)
        case .update(let update): return try process(update)
        case .origin(let origin): content.found(origin)
        case .overflow(let count):
            lostCount += count
            StandardError.print("\(count) bytes were lost: the disk of \(target.name) is too slow")
        }
        return false
    }

    /// Processes an update; returns whether it was the end.
    private mutating func process(_ update: ReceiverUpdate) throws -> Bool {
        if let name = update.openedDevice { try refuseShared(name, isOpen: true) }
        switch reporter.report(update) {
        case .message(let message): StandardError.print(message)
        case .failure(let error): throw error
        case nil: break
        }
        if let name = update.openedDevice { opened(name) }
        switch update {
        case .condition(.lost, _):
            content.addGap()
            try target.write(atOnce: true)
        case .condition(.ended(let ending), _):
            // In these cases the bytes are recorded nevertheless.
            let isContent = ending.error?.code == .binaryProtocol || ending.error?.code == .noTrack
            guard ending.error == nil || isContent else { throw ExitStatus.failed }
            return true
        case .condition, .notice, .epoch, .satellites: break
        }
        return false
    }

    private mutating func write() throws {
        try target.write()
        isUnsynced = true
        guard lastSync + Self.second <= .now else { return }
        target.sync()
        lastSync = .now
        isUnsynced = false
    }

    // MARK: The receiver

    /// Throws a `SharedTTY` if another program has the tty open. A tty that is open here is not locked by
    /// another.
    private func refuseShared(_ path: String, isOpen: Bool) throws {
        guard source.origin.mayBeLive, let reader = TTYStatus.otherReader(of: path) else {
            return
        }
        let isLocked = !isOpen && TTYStatus.isLocked(path)
        guard isShared, !isLocked else {
            throw SharedTTY(path: path, reader: reader, isLocked: isLocked)
        }
    }

    private mutating func opened(_ name: String) {
        if !hasOpened { content.begin(OutputSource(opened: name, origin: source.origin)) }
        hasOpened = true
    }
}
