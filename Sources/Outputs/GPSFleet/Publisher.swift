// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
import GPSIO
package import GPSReceivers

/// Moves fixes from an inbox into the spool, and from there to every target.
package final class Publisher {
    /// A server (`Engine`) and the format of the messages that it receives.
    package struct Target {
        let url: EngineURL
        let engine: any Engine
        package let format: any MessageFormat

        package init(_ url: EngineURL, engine: any Engine, format: any MessageFormat) {
            self.url = url
            self.engine = engine
            self.format = format
        }
    }

    /// The source of all fixes and of the events of all targets.
    private let inbox: PublisherInbox
    private let spool: Spool
    private let boot: String
    private var deliveries: [Delivery]
    private let log: MessageLog
    private var streams: [StreamKey: Spool.Stream] = [:]
    private let start = MonotonicInstant.now
    private var lastCheck = MonotonicInstant.now
    private var lastLoss = SpoolLoss()
    private var lastLossNote: MonotonicInstant?
    private var unspooled: [PublisherInbox.Incoming] = []
    private var spoolFailure: String?
    private var workFailure: String?
    /// Whether the deletion of the spool has been logged.
    private var hasNotedDeletion = false
    private var endedCount = 0
    /// The worst outcome of the receivers whose data has ended.
    package private(set) var outcome = PublisherInbox.Outcome.success

    /// The number of fixes in the spool above which sources that can wait, such as replayed files,
    /// are paused.
    private static let replayLimit = 50_000
    /// The maximum number of fixes in memory while the spool cannot store them, for example on a
    /// full disk.
    private static let memoryLimit = 100_000

    private struct StreamKey: Hashable {
        let member: MemberName
        let origin: DataOrigin

        init(_ fix: PublisherInbox.Incoming) { (member, origin) = (fix.member, fix.origin) }
    }

    /// Creates a publisher for the fixes in an inbox.
    ///
    /// Throws an error if the spool cannot be used.
    package init(
        _ inbox: PublisherInbox, spool: Spool, targets: [Target], settings: PublishSettings,
        log: MessageLog
    ) throws(FleetError) {
        self.inbox = inbox
        self.spool = spool
        self.log = log
        boot = String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
        let bits = try spool.setTargets(targets.map(\.url.description))
        let range = try spool.range()
        deliveries = try zip(targets, bits).map { target, bit throws(FleetError) in
            Delivery(
                name: target.url.label, bit: bit, engine: target.engine, format: target.format,
                settings: settings, backlog: range, kept: try spool.kept(bit: bit))
        }
        if spool.count > 0 {
            let fixes = Plural.text(spool.count, "fix waits", "fixes wait")
            log("\(fixes) in \(spool.path) to be sent")
        }
    }

    /// The statistics, summed over all targets.
    package var counts: PublishCounts {
        deliveries.reduce(PublishCounts()) { $0 + $1.counts }
    }

    /// Publishes until the task is cancelled, or until the data of `receiverCount` receivers has
    /// ended and every target has stored all fixes.
    ///
    /// Throws an error if a server can never be used, for example because a file with credentials
    /// cannot be read, or if the spool is damaged.
    package func run(receiverCount: Int) async throws {
        for (index, delivery) in deliveries.enumerated() {
            try delivery.engine.start { [inbox] in inbox.append($0, of: index) }
        }
        defer { for delivery in deliveries { delivery.engine.close() } }
        var deadline = MonotonicInstant.now + .seconds(1)
        while !Task.isCancelled {
            let isFull = spool.count > Self.replayLimit
            try handle(await inbox.next(until: deadline, holding: isFull))
            deadline = work()
            let isOver = endedCount >= receiverCount && unspooled.isEmpty
            if isOver, deliveries.allSatisfy(\.isIdle) { return logRest() }
        }
        try await finish()
    }

    /// Waits up to a second for the answers to messages in flight. All fixes that are not
    /// acknowledged stay in the spool.
    private func finish() async throws {
        try handle(await inbox.next(until: .now, holding: false))
        _ = work()
        let end = MonotonicInstant.now + .seconds(1)
        while MonotonicInstant.now < end, deliveries.contains(where: { $0.isBusy }) {
            // This task is cancelled, so it could not wait for the inbox.
            let wait = Task(executorPreference: BackgroundExecutor.shared) { [inbox] in
                await inbox.next(until: end, holding: false)
            }
            try handle(await wait.value)
            for index in deliveries.indices { try deliveries[index].acknowledge(spool) }
        }
        logRest()
    }

    /// Logs the number of lost fixes, which include those that are only in memory, and the number
    /// of fixes that stay in the spool.
    private func logRest() {
        spool.loss.unstored += unspooled.count
        if spool.loss != lastLoss { logLoss() }
        guard spool.count > 0 else { return }
        noteDeletion()
        if hasNotedDeletion {
            let fixes = Plural.text(spool.count, "fix is", "fixes are")
            log("\(fixes) lost, because \(spool.path) was deleted", .error)
        } else {
            let fixes = Plural.text(
                spool.count, "fix that was not sent stays", "fixes that were not sent stay")
            log("\(fixes) in \(spool.path)")
        }
    }

    /// Logs once that the spool was deleted. Fixes are published nevertheless.
    private func noteDeletion() {
        guard !hasNotedDeletion, spool.isDeleted else { return }
        hasNotedDeletion = true
        log(
            "\(spool.path) was deleted: fixes that wait in it are lost when this program ends; once "
                + "they have been sent, restart this program to create a new spool", .error)
    }

    private func handle(_ contents: PublisherInbox.Contents) throws {
        let now = MonotonicInstant.now
        endedCount += contents.endedCount
        outcome = outcome.combined(with: contents.outcome)
        for note in contents.notes { log(note.text, note.level) }
        try append(contents.fixes, now: now)
        for (target, event) in contents.events { deliveries[target].handle(event, now: now) }
    }

    // MARK: The spool

    /// Stores fixes in the spool and offers them to every target. If the spool fails, they stay in
    /// memory up to `memoryLimit`.
    ///
    /// Throws an error if the spool is damaged, because only the next start begins a new one.
    private func append(_ fixes: [PublisherInbox.Incoming], now: MonotonicInstant) throws {
        let all = unspooled + fixes
        unspooled = []
        guard !all.isEmpty else { return }
        var start = 0
        do throws(FleetError) {
            try addStreams(all)
            while start < all.count {
                let end = min(all.count, start + 10_000)
                var entries = all[start..<end].compactMap { fix in
                    streams[StreamKey(fix)].map { Spool.Entry(stream: $0.number, row: fix.row) }
                }
                try spool.append(&entries)
                for index in deliveries.indices { deliveries[index].offer(entries, now: now) }
                start = end
            }
            if spoolFailure != nil { log("the spool accepts fixes again") }
            spoolFailure = nil
        } catch {
            guard !error.isPermanent else {
                throw FleetError(
                    "\(error): start publish again to rename the file and create a new one",
                    isPermanent: true)
            }
            if spoolFailure != error.description {
                log(
                    "the spool \(spool.path) cannot be written: \(error.reason); until it can be "
                        + "written again, fixes are kept only in memory, and are lost if this "
                        + "program ends", .warning)
            }
            spoolFailure = error.description
            // The fixes before `start` are in the spool, and would be sent twice.
            let rest = all[start...]
            let lost = max(0, rest.count - Self.memoryLimit)
            spool.loss.unstored += lost
            unspooled = Array(rest.dropFirst(lost))
        }
    }

    private func addStreams(_ fixes: [PublisherInbox.Incoming]) throws(FleetError) {
        let keys = Array(Set(fixes.lazy.map(StreamKey.init)).filter { streams[$0] == nil })
        guard !keys.isEmpty else { return }
        let added = try spool.addStreams(keys.map { ($0.member, $0.origin) }, boot: boot)
        for (key, stream) in zip(keys, added) { streams[key] = stream }
    }

    // MARK: Work

    /// Does all work that is due. Returns the time of the next call, at most a second later. An
    /// error of the spool is logged, and the work is retried with the next call.
    private func work() -> MonotonicInstant {
        let now = MonotonicInstant.now
        var deadline = now + .seconds(1)
        let isCheckDue = lastCheck + .seconds(1) <= now
        if isCheckDue { lastCheck = now }
        do throws(FleetError) {
            for index in deliveries.indices {
                try deliveries[index].acknowledge(spool)
                if let next = try deliveries[index].work(spool, now: now) {
                    deadline = min(deadline, next)
                }
                try deliveries[index].acknowledge(spool)
            }
            if isCheckDue {
                try spool.keepLimits(now: BridgeClock.now, runtime: now.seconds(since: start))
                for index in deliveries.indices {
                    deliveries[index].sendHeartbeats(spool, now: now)
                }
            }
            workFailure = nil
        } catch {
            if workFailure != error.description { log(error.description, .error) }
            workFailure = error.description
        }
        if isCheckDue {
            noteLoss(now)
            noteDeletion()
        }
        for index in deliveries.indices {
            for note in deliveries[index].drainNotes() { log(note.text, note.level) }
        }
        return deadline
    }

    /// Logs the number of dropped fixes, at most once a minute.
    private func noteLoss(_ now: MonotonicInstant) {
        guard spool.loss != lastLoss, lastLossNote.map({ $0 + .seconds(60) <= now }) ?? true else {
            return
        }
        lastLossNote = now
        logLoss()
    }

    private func logLoss() {
        lastLoss = spool.loss
        log(spool.loss.text(path: spool.path), .warning)
    }
}

/// Fixes of receivers and events of servers that a publisher has not handled yet.
///
/// Sources that can wait are paused while the inbox is full, and while the publisher requests it
/// with `holding`.
package final class PublisherInbox: Sendable {
    /// A fix with the name of its receiver.
    package struct Incoming: Sendable {
        /// The receiver's name.
        var member: MemberName
        /// Whether the fix is live, recorded or simulated.
        package var origin: DataOrigin
        /// The fix. Its sequence number is not set yet.
        package var row: FixRow

        /// Creates a fix of a member, before it gets its sequence number.
        package init(member: MemberName, origin: DataOrigin, row: FixRow) {
            self.member = member
            self.origin = origin
            self.row = row
        }
    }

    /// The result of reading receivers until their data ended.
    package enum Outcome: Int, Sendable {
        case success
        /// A receiver had no valid sentence.
        case nothingFound
        /// The data of a receiver ended with an error.
        case failed

        /// Creates the outcome of reading one receiver.
        package init(_ ending: ReceiverCondition.Ending) {
            self = ending.isEmpty ? .nothingFound : ending.error == nil ? .success : .failed
        }

        /// Returns the worse one of two outcomes.
        func combined(with other: Outcome) -> Outcome { rawValue < other.rawValue ? other : self }
    }

    struct Contents: Sendable {
        var fixes: [Incoming] = []
        var events: [(target: Int, event: EngineEvent)] = []
        var notes: [LeveledMessage] = []
        var endedCount = 0
        var outcome = Outcome.success
    }

    /// The number of fixes in the inbox above which sources that can wait are paused.
    private static let limit = 5000

    /// Represents the inbox in the sessions that read the receivers. The flow control of these
    /// sessions pauses sources that can wait.
    let member = SessionMember()
    private let inbox: Inbox<Contents>

    /// Creates an inbox. Throws a `DeviceError` if the process has no file descriptors left.
    package init() throws(DeviceError) {
        let flow = member.flow
        inbox = try DeviceError.converted { () throws(IOError) in
            try Inbox(
                Contents(), isFull: { $0.fixes.count > Self.limit }, setFull: flow.setFull)
        }
    }

    package func append(_ fixes: [Incoming]) { inbox.change { $0.fixes += fixes } }

    package func append(_ fix: Incoming) { inbox.change { $0.fixes.append(fix) } }

    /// Appends an event from a target's server. `target` is the index of the target.
    func append(_ event: EngineEvent, of target: Int) {
        inbox.change { $0.events.append((target, event)) }
    }

    /// Appends a line for the log.
    package func note(_ text: String, _ level: MessageLevel = .info) {
        inbox.change { $0.notes.append(LeveledMessage(text, level)) }
    }

    /// Records that a receiver's data has ended.
    package func end(_ outcome: Outcome = .success) {
        inbox.change {
            $0.endedCount += 1
            $0.outcome = $0.outcome.combined(with: outcome)
        }
    }

    /// The number of waiting fixes.
    package var count: Int { inbox.contents.fixes.count }

    /// Removes and returns the contents. If there are none, waits until there are some, the
    /// deadline has passed or the task is cancelled. If `holding` is `true`, the inbox counts as
    /// full until the next call, which pauses sources that can wait.
    func next(until deadline: MonotonicInstant?, holding: Bool) async -> Contents {
        await inbox.next(until: deadline, staysFull: holding)
    }
}

/// Settings for sending fixes.
package struct PublishSettings: Sendable {
    /// The order in which the backlog is sent.
    package enum BacklogOrder: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// The order in which the backlog is sent, after live fixes. `nil`, the default, sends it
    /// newest first; to an engine whose `isOrdered` is `true`, oldest first and before live fixes.
    package var backlog: BacklogOrder?
    /// The maximum time that a fix waits for later fixes, to be sent in the same message.
    package var batchTime = Duration.zero
    /// Returns the fraction of `batchTime`, from 0 to 1, that a receiver's first message after
    /// connecting waits. Default: random.
    package var firstFraction: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// The number of waiting fixes of a receiver at which they are sent, even if `batchTime` has
    /// not elapsed.
    package var batchCount = 60
    /// The time without new fixes after which a receiver's last fix is sent again, to show that the
    /// bridge is running.
    var heartbeat = Duration.seconds(60)
    /// The maximum number of live fixes in memory. If there are more, all of them are moved to the
    /// backlog in the spool. Two full messages for each receiver are always permitted.
    package var liveLimit = 20_000
    /// How long an acknowledged message is kept in the spool, so that it can be resent if the
    /// server loses it. Zero keeps none. The default is longer than the two minutes after which
    /// NATS servers write to disk.
    package var keepTime = Duration.seconds(150)
    /// The name and version of the sending program.
    package var software = ""

    /// Creates the default settings, which send fixes immediately.
    package init() {}
}

/// Statistics of published messages and fixes.
package struct PublishCounts: Hashable, Sendable {
    /// The number of messages that a server has stored.
    package var messages = 0
    /// The number of fixes in the stored messages.
    package var fixes = 0
    /// The number of bytes in the stored messages.
    package var bytes = 0
    /// The number of times that a message was resent.
    package var retries = 0
    /// The number of fixes that a server has finally refused.
    package var refused = 0

    /// Returns the sum of two statistics.
    static func + (a: PublishCounts, b: PublishCounts) -> PublishCounts {
        var sum = a
        sum.messages += b.messages
        sum.fixes += b.fixes
        sum.bytes += b.bytes
        sum.retries += b.retries
        sum.refused += b.refused
        return sum
    }
}
