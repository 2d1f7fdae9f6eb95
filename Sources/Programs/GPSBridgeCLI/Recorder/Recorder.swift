// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc

/// Records the data of a receiver's session. Uncompressed data is written immediately and flushed
/// to the disk within a second.
struct Recorder: ~Copyable {
    private static let second = Duration.seconds(1)

    /// Which messages a recorder prints.
    enum Messages {
        case all
        /// Messages about the file only, because another consumer prints those about the receiver.
        case ofFile
    }

    private let messages: Messages
    /// Whether to record even if another program reads the receiver.
    private let isShared: Bool
    private let content: any RecordContent
    private var target: RecordTarget
    private var start = RecordStart()
    private var receiver: ReceiverModel
    /// The start of the pause in the bytes.
    private var pauseStart = MonotonicInstant.now
    /// The end of the pause after which the content handles it; `nil` if it need not.
    private var pauseEnd: MonotonicInstant? { content.silenceTolerance.map { pauseStart + $0 } }
    private var lastSync = MonotonicInstant.now
    private var isUnsynced = false
    private var hasReportedOmission = false
    /// The request that has not been sent to the receiver yet; `nil` without one.
    private var request: [UInt8]?
    /// The data that was dropped because the disk is too slow.
    private var loss = RecorderInbox.Loss()

    init(
        _ source: any DeviceSource, messages: Messages, isShared: Bool,
        content: any RecordContent, target: consuming RecordTarget
    ) {
        self.messages = messages
        self.isShared = isShared
        self.content = content
        receiver = ReceiverModel(source, .whenUseful)
        receiver.activity = "recording"
        receiver.purpose = target.purpose
        receiver.isLog = true
        self.target = target
    }

    /// Records until the source ends or the task is cancelled. Calls `subscribed` before the
    /// receiver is opened.
    ///
    /// - Throws: `ExitStatus` if bytes were lost, or if nothing was recorded and the user did not
    ///   end the recording with a signal.
    mutating func run(subscribed: () -> Void = {}) async throws {
        var failure: (any Error)?
        do {
            try await follow(subscribed: subscribed)
        } catch is CancellationError {
        } catch {
            failure = error
        }
        // Bytes that arrived before a failure are also written.
        for (bytes, time) in start.takeAll() { content.push(bytes, at: time) }
        content.end()
        try target.finish()
        reportOmission()
        if let failure { throw failure }
        loss.bytes += target.lostCount
        if let lost = loss.text {
            StandardError.print(
                "\(lost) were lost because the disk of \(target.name) "
                    + (target.isFull ? "is full" : "was full or too slow")
                    + " (\(target.written) bytes were recorded): free some space, and record to the "
                    + "same file again",
                level: .error)
            throw ExitStatus.failed
        }
        guard target.written > 0 else {
            let remains =
                target.isEmpty
                ? "so \(target.name) is not written"
                : target.isChanged
                    ? "and only the incomplete end of \(target.name) was repaired"
                    : "so \(target.name) is unchanged"
            let isInterrupted = Signals.received.map { $0 != SIGALRM } ?? false
            let advice =
                isInterrupted ? "" : ": gpsbridge doctor SOURCE shows what the source sends"
            StandardError.print(
                "nothing was recorded, \(remains)\(advice)", level: .error)
            if isInterrupted { return }
            throw ExitStatus.nothingFound
        }
        let files = target.files > 1 ? " in \(target.files) files, the last" : ""
        StandardError.print("\(target.written) bytes were recorded\(files) to \(target.name)")
    }

    /// Processes the session's data until the source ends or the task is cancelled.
    private mutating func follow(subscribed: () -> Void) async throws {
        let source = receiver.source
        for path in source.parts.compactMap(\.ttyPath) { try refuseShared(path, isOpen: false) }
        let inbox = try RecorderInbox(forBytes: content.wantsBytes)
        let session = ReceiverPool.shared.session(for: source)
        let wakeUp = content.request == nil ? nil : try WakeUp(poller: session.poller)
        // The subscription to bytes must begin before the receiver is opened.
        let bytes =
            content.wantsBytes
            ? [
                session.bytes.observe { inbox.append(bytes: $0) }.scoped,
                session.beginnings.observe { inbox.append(beginning: $0) }.scoped,
            ] : []
        // Safety: used on the polling thread only, where a session sends its updates.
        nonisolated(unsafe) var last: ReceiverEpoch?
        let updates = session.join(as: inbox.member) { update in
            inbox.append(update, after: last)
            if case .epoch(let epoch) = update { last = epoch }
        }
        let subscriptions = bytes + [updates]
        defer { for subscription in subscriptions { subscription.dispose() } }
        subscribed()
        while true {
            let sync = isUnsynced ? lastSync + Self.second : nil
            let inputs = await inbox.next(
                until: [pauseEnd, sync, target.deadline, start.deadline].compactMap(\.self).min())
            for input in inputs where try process(input) { return }
            // An answer among the first bytes, which may be left out, would be lost.
            if !start.isHolding, let request, let wakeUp,
                await Self.send(request, to: session, wakeUp)
            {
                self.request = nil
            }
            if start.isOverdue(at: .now) { try push(start.takeAll()) }
            if let pauseEnd, pauseEnd <= .now {
                content.silence()
                pauseStart = .now
            }
            if receiver.hasBeenOpen { try write() }
            if Task.isCancelled { return }
        }
    }

    /// Sends a request to a receiver. Returns `false` if that is not possible yet. A receiver that
    /// cannot be written to is recorded without an answer.
    private static func send(
        _ request: [UInt8], to session: ReceiverSession, _ wakeUp: WakeUp
    ) async -> Bool {
        await withTaskExecutorPreference(session.poller) {
            do throws(DeviceError) {
                // While a dialogue uses the line, the next input leads to another attempt.
                let result = try await session.write(request, orSignal: wakeUp)
                if case .written = result { return true }
                return false
            } catch {
                return true
            }
        }
    }

    /// Processes an input. Returns whether the source has ended.
    private mutating func process(_ input: RecorderInbox.Input) throws -> Bool {
        switch input {
        case .bytes(let bytes, let time):
            try push(start.push(bytes, at: time, now: .now))
            pauseStart = .now
        case .beginning(nil): start.begin()
        case .beginning(let skipped?): try push(start.takeAll(after: skipped))
        case .fix(let fix, let time):
            try target.rotate(at: time)
            content.add(fix)
        case .update(let update): return try process(update)
        case .origin(let origin): content.found(origin)
        case .overflow(let loss):
            self.loss += loss
            // The held bytes no longer have the length that `beginning` refers to.
            try push(start.takeAll())
            guard let text = loss.text else { break }
            StandardError.print(
                "\(text) were lost, because the disk of \(target.name) is too slow: record to a faster disk",
                level: .warning)
        }
        return false
    }

    private mutating func push(_ chunks: [RecordStart.Chunk]) throws {
        for (bytes, time) in chunks {
            try target.rotate(at: time)
            content.push(bytes, at: time)
        }
    }

    /// Processes an update. Returns whether the source has ended.
    private mutating func process(_ update: ReceiverUpdate) throws -> Bool {
        // A vote has no tty of its own. It reports other readers of its receivers' ttys itself. After
        // the first opening, another reader is only reported: a program that looks at a receiver when
        // it is plugged in again must not end the recording.
        let opened = receiver.hasBeenOpen ? nil : update.openedDevice
        if let opened, !(receiver.source is ConsensusSource) {
            try refuseShared(opened, isOpen: true)
        }
        switch (receiver.receive(update), messages) {
        case (.message(let message), .all):
            StandardError.report(
                message, level: update.level, cause: update.cause(of: receiver.source.name))
        case (.failure(let error), .all): throw error
        case (.failure, .ofFile): return true
        case (.message, .ofFile), (nil, _): break
        }
        if let opened {
            content.begin(OutputSource(opened: opened, origin: receiver.source.origin))
            let isLine = receiver.source.capabilities.contains(.serialLine)
            request = isLine ? content.request : nil
        }
        switch update {
        case .condition(.lost, _):
            try push(start.takeAll())
            content.addGap()
            try target.write(atOnce: true)
        case .condition(.ended(let ending), _):
            // These errors mean that no position was found, but the bytes are recorded.
            let isContent = ending.error?.code == .binaryProtocol || ending.error?.code == .noTrack
            guard ending.error == nil || isContent || messages == .ofFile else {
                throw ExitStatus.failed
            }
            return true
        case .notice(.vote(let vote)): content.found(vote)
        case .satellites(let view): content.add(view)
        case .condition, .notice, .epoch: break
        }
        return false
    }

    private mutating func write() throws {
        try target.write()
        reportOmission()
        isUnsynced = true
        guard lastSync + Self.second <= .now else { return }
        try target.sync()
        lastSync = .now
        isUnsynced = false
    }

    /// Reports once, without delay, that the file does not contain everything: a receiver that never
    /// sends a date would leave an IGC file empty.
    private mutating func reportOmission() {
        guard !hasReportedOmission, let omission = content.omission else { return }
        hasReportedOmission = true
        StandardError.print(omission, level: .warning)
    }

    // MARK: The receiver

    /// Throws an error if another program reads the tty, unless `--share` is given and the tty is
    /// not locked. Each program would receive only part of the data. While this process has the
    /// tty open (`isOpen`), no other program can have locked it.
    private func refuseShared(_ path: String, isOpen: Bool) throws {
        guard receiver.source.origin.mayBeLive, let reader = TTYStatus.otherReader(of: path) else {
            return
        }
        let isLocked = !isOpen && TTYStatus.isLocked(path)
        guard !isShared || isLocked else { return }
        let program =
            if case .heldBy(let name, let processID) = reader {
                "\(name) (process \(processID))"
            } else {
                "another program"
            }
        let advice =
            isLocked
            ? "has locked it: stop that program first"
            : "already reads it: stop that program first, or record the remaining bytes "
                + "with --share"
        throw CommandFailure("cannot record \(path), because \(program) \(advice)")
    }
}

/// Holds the first bytes of a line until it is known where a whole cycle begins, so that a recording
/// does not begin with a part of one, which would be read as an epoch without a date or an altitude.
///
/// If that does not become known, as on a line without a receiver of positions, nothing is left out.
struct RecordStart {
    typealias Chunk = (bytes: [UInt8], time: UTCTime)

    /// The longest time to hold bytes. Within it, even a receiver with a fix every five seconds begins
    /// a cycle.
    static let limit = Duration.seconds(10)
    /// The maximum number of bytes to hold. No cycle is that long.
    static let byteLimit = 1 << 18

    private var held: [Chunk] = []
    /// Whether the next bytes are held.
    private(set) var isHolding = false
    /// The number of held bytes that were received before the last call of `begin()`.
    private var earlierCount = 0
    /// The time at which all held bytes must be written; `nil` if there are none.
    private(set) var deadline: MonotonicInstant?

    private var count: Int { held.reduce(0) { $0 + $1.bytes.count } }

    /// Holds the next bytes, which may begin in the middle of a cycle.
    mutating func begin() {
        isHolding = true
        earlierCount = count
    }

    /// Adds bytes. Returns those that need not be held.
    mutating func push(_ bytes: [UInt8], at time: UTCTime, now: MonotonicInstant) -> [Chunk] {
        guard isHolding else { return [(bytes, time)] }
        held.append((bytes, time))
        deadline = deadline ?? now + Self.limit
        return count > Self.byteLimit ? takeAll() : []
    }

    /// Returns whether the bytes have been held for too long.
    func isOverdue(at now: MonotonicInstant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Returns the held bytes from the first whole cycle on: without the first `skipped` bytes since
    /// `begin()`. Holds no more bytes.
    mutating func takeAll(after skipped: Int) -> [Chunk] {
        var excess = skipped + earlierCount
        return takeAll().compactMap { bytes, time in
            let dropped = min(excess, bytes.count)
            excess -= dropped
            return dropped == bytes.count ? nil : (Array(bytes[dropped...]), time)
        }
    }

    /// Returns all held bytes. Holds no more bytes.
    mutating func takeAll() -> [Chunk] {
        (isHolding, earlierCount, deadline) = (false, 0, nil)
        return exchange(&held, with: [])
    }
}

/// The data that a recorder has not written yet. It is stored here, so that a slow disk does not
/// delay reading.
///
/// If too much data waits, a source that can pause is paused. For a receiver, the oldest data is
/// dropped and counted instead.
private final class RecorderInbox: Sendable {
    enum Input: Sendable {
        /// An update of the receiver. Of the epochs, only those with another integrity verdict than
        /// the epoch before are updates.
        case update(ReceiverUpdate)
        /// The origin of the bytes has been determined, or has changed.
        case origin(DataOrigin)
        /// Bytes, with the time at which they were read.
        case bytes([UInt8], at: UTCTime)
        /// See `ReceiverSession.beginnings`.
        case beginning(Int?)
        /// A fix, with the time at which it was received.
        case fix(Fix, at: UTCTime)
        /// Data was dropped before the next input.
        case overflow(Loss)
    }

    /// The amount of data that was dropped.
    struct Loss: Sendable {
        var bytes = 0
        var fixes = 0

        static func += (a: inout Loss, b: Loss) {
            a.bytes += b.bytes
            a.fixes += b.fixes
        }

        /// The amount in words, such as `12 fixes`; `nil` if nothing was dropped.
        var text: String? {
            let parts = [(fixes, "fixes"), (bytes, "bytes")].filter { $0.0 > 0 }
            return parts.isEmpty ? nil : parts.map { "\($0) \($1)" }.joined(separator: " and ")
        }
    }

    fileprivate struct Contents {
        var inputs: [Input] = []
        var byteCount = 0
    }

    /// The number of waiting bytes above which sources that can pause are paused.
    private static let pauseLimit = 1 << 18
    /// The maximum number of waiting bytes: hours of a receiver's data.
    private static let limit = 1 << 24
    /// The approximate size in bytes of a fix or a satellite view.
    fileprivate static let fixSize = 1 << 11

    /// Whether the receiver's bytes are stored. Otherwise, its fixes and satellites are stored.
    private let hasBytes: Bool
    /// The inbox's membership in the session of the receiver. Through it, the inbox pauses a source
    /// that can pause.
    let member = SessionMember()
    private let inbox: Inbox<Contents>

    /// Creates an inbox. Throws a `DeviceError` if no file descriptor is available.
    init(forBytes hasBytes: Bool) throws(DeviceError) {
        self.hasBytes = hasBytes
        let flow = member.flow
        inbox = try DeviceError.converted { () throws(IOError) in
            try Inbox(
                Contents(), isFull: { $0.byteCount > Self.pauseLimit }, setFull: flow.setFull)
        }
    }

    /// Appends an update that was received after the epoch `last`.
    func append(_ update: ReceiverUpdate, after last: ReceiverEpoch?) {
        switch update {
        case .satellites:
            guard !hasBytes else { return }
            append(.update(update), byteCount: Self.fixSize)
        case .epoch(let epoch):
            if epoch.origin != last?.origin { append(.origin(epoch.origin), byteCount: 0) }
            if let verdict = epoch.fix.integrity,
                last?.fix.integrity.map({ !verdict.isSameVerdict(as: $0) }) ?? true
            {
                append(.update(update), byteCount: 0)
            }
            guard !hasBytes, let now = SystemClock.now else { return }
            append(.fix(epoch.fix, at: now), byteCount: Self.fixSize)
        default: append(.update(update), byteCount: 0)
        }
    }

    /// Appends bytes that have just been read.
    func append(bytes: [UInt8]) {
        guard let now = SystemClock.now else { return }
        append(.bytes(bytes, at: now), byteCount: bytes.count)
    }

    private func append(_ input: Input, byteCount: Int) {
        inbox.change { contents in
            contents.inputs.append(input)
            contents.byteCount += byteCount
            contents.dropOldest(above: Self.limit)
        }
    }

    /// Appends what is known about where the first whole cycle begins.
    func append(beginning skipped: Int?) { append(.beginning(skipped), byteCount: 0) }

    /// Removes and returns the waiting inputs. If there are none, waits for one until the deadline
    /// or cancellation.
    func next(until deadline: MonotonicInstant?) async -> [Input] {
        await inbox.next(until: deadline).inputs
    }
}

extension RecorderInbox.Contents {
    /// If more than `limit` bytes wait, drops the oldest data until half of `limit` remains.
    fileprivate mutating func dropOldest(above limit: Int) {
        guard byteCount > limit else { return }
        var dropped = RecorderInbox.Loss()
        inputs.removeAll { input in
            switch input {
            case .bytes(let bytes, _) where byteCount > limit / 2:
                byteCount -= bytes.count
                dropped.bytes += bytes.count
                return true
            case .fix where byteCount > limit / 2:
                byteCount -= RecorderInbox.fixSize
                dropped.fixes += 1
                return true
            case .update(.satellites) where byteCount > limit / 2:
                byteCount -= RecorderInbox.fixSize
                return true
            case .overflow(let earlier):
                dropped += earlier
                return true
            case .update, .origin, .bytes, .beginning, .fix: return false
            }
        }
        inputs.insert(.overflow(dropped), at: 0)
    }
}
