// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers

/// Moves fixes from an inbox into the spool, and from there to every target.
package final class Publisher {
    /// A server (`Engine`) and the format of the messages that it receives.
    package struct Target {
        let url: EngineURL
        package let engine: any Engine
        package let format: any MessageFormat

        /// Creates a target.
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
