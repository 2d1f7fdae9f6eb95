// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc

/// Moves fixes from an inbox into the spool, and from there to every target.
package final class Publisher {
    /// An engine and the format of its messages.
    package struct Target {
        /// The name in messages and in the spool.
        package let name: String
        package let engine: any Engine
        package let format: any MessageFormat

        /// Creates a target.
        package init(name: String, engine: any Engine, format: any MessageFormat) {
            self.name = name
            self.engine = engine
            self.format = format
        }
    }

    /// The source of the fixes.
    private let inbox: PublisherInbox
    private let spool: Spool
    private let boot: String
    private var deliveries: [Delivery]
    private let log: @Sendable (String) -> Void
    private var streams: [StreamKey: Spool.Stream] = [:]
    private var lastCheck = MonotonicInstant.now
    private var lastLoss = SpoolLoss()
    private var lastLossNote: MonotonicInstant?
    private var unspooled: [PublisherInbox.Incoming] = []
    private var spoolFailure: String?
    private var workFailure: String?
    private var endedCount = 0

    /// The number of fixes in the spool above which sources that can wait are paused.
    private static let replayLimit = 50_000
    /// The maximum number of fixes in memory while the disk is full.
    private static let memoryLimit = 100_000

    private struct StreamKey: Hashable {
        let member: MemberName
        let origin: DataOrigin
    }

    /// Creates a publisher for the fixes in an inbox.
    ///
    /// Throws if the spool cannot be used.
    package init(
        _ inbox: PublisherInbox, spool: Spool, targets: [Target], settings: PublishSettings,
        log: @escaping @Sendable (String) -> Void
    ) throws(FleetError) {
        self.inbox = inbox
        self.spool = spool
        self.log = log
        boot = Boot.newName()
        let bits = try spool.setTargets(targets.map(\.name))
        let range = try spool.range()
        deliveries = try zip(targets, bits).map { target, bit throws(FleetError) in
            Delivery(
                name: target.name, bit: bit, engine: target.engine, format: target.format,
                settings: settings, backlog: range, kept: try spool.kept(bit: bit))
        }
        if spool.count > 0 { log("\(spool.count) fixes wait in \(spool.path)") }
    }

    /// The numbers of fixes published, over all targets.
    package var counts: PublishCounts {
        deliveries.reduce(PublishCounts()) { $0 + $1.counts }
    }

    /// Publishes until the task is cancelled, or until `receiverCount` receivers have ended and
    /// everything is stored.
    ///
    /// Throws if an engine refuses access for good.
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
            if isOver, deliveries.allSatisfy(\.isIdle) { return }
        }
        try await finish()
    }

    /// Waits briefly for messages in flight; the other fixes stay in the spool.
    private func finish() async throws {
        try handle(await inbox.next(until: .now, holding: false))
        _ = work()
        // This task is cancelled and cannot wait, so another one does.
        let end = MonotonicInstant.now + .seconds(1)
        while MonotonicInstant.now < end, deliveries.contains(where: { $0.isBusy }) {
            usleep(10_000)
            try handle(await inbox.next(until: .now, holding: false))
            for index in deliveries.indices { try acknowledge(index) }
        }
        if spool.count > 0 { log("\(spool.count) fixes stay in \(spool.path)") }
    }

    private func handle(_ contents: PublisherInbox.Contents) throws {
        let now = MonotonicInstant.now
        endedCount += contents.endedCount
        for note in contents.notes { log(note) }
        try append(contents.fixes, now: now)
        for (target, event) in contents.events { deliveries[target].handle(event, now: now) }
    }

    // MARK: The spool

    private func append(_ fixes: [PublisherInbox.Incoming], now: MonotonicInstant) throws {
        let all = unspooled + fixes
        unspooled = []
        guard !all.isEmpty else { return }
        do throws(FleetError) {
            try addStreams(all)
            var start = 0
            while start < all.count {
                let end = min(all.count, start + 10_000)
                var entries: [Spool.Entry] = []
                entries.reserveCapacity(end - start)
                for fix in all[start..<end] {
                    let key = StreamKey(member: fix.member, origin: fix.origin)
                    guard let stream = streams[key] else { continue }
                    entries.append(Spool.Entry(stream: stream.number, row: fix.row))
                }
                try spool.append(&entries)
                for index in deliveries.indices { deliveries[index].offer(entries, now: now) }
                start = end
            }
            if spoolFailure != nil { log("the spool takes fixes again") }
            spoolFailure = nil
        } catch {
            if spoolFailure != error.description { log("fixes wait in memory: \(error)") }
            spoolFailure = error.description
            let lost = max(0, all.count - Self.memoryLimit)
            if lost > 0 { log("\(lost) fixes were lost: \(error)") }
            unspooled = Array(all.dropFirst(lost))
        }
    }

    private func addStreams(_ fixes: [PublisherInbox.Incoming]) throws(FleetError) {
        var new: Set<StreamKey> = []
        for fix in fixes {
            let key = StreamKey(member: fix.member, origin: fix.origin)
            if streams[key] == nil { new.insert(key) }
        }
        guard !new.isEmpty else { return }
        let keys = Array(new)
        let added = try spool.addStreams(keys.map { ($0.member, $0.origin) }, boot: boot)
        for (key, stream) in zip(keys, added) { streams[key] = stream }
    }

    // MARK: Work

    /// Does all work that is due; returns when to call again. A failing or full disk is retried.
    private func work() -> MonotonicInstant {
        let now = MonotonicInstant.now
        var deadline = now + .seconds(1)
        do throws(FleetError) {
            for index in deliveries.indices {
                try acknowledge(index)
                if let next = try deliveries[index].work(spool, now: now) {
                    deadline = min(deadline, next)
                }
                try acknowledge(index)
            }
            if lastCheck + .seconds(1) <= now {
                lastCheck = now
                try spool.keepLimits(now: BridgeClock.now)
                for index in deliveries.indices {
                    deliveries[index].sendHeartbeats(spool, now: now)
                }
                noteLoss(now)
            }
            workFailure = nil
        } catch {
            if workFailure != error.description { log(error.description) }
            workFailure = error.description
        }
        for index in deliveries.indices {
            for note in deliveries[index].drainNotes() { log(note) }
        }
        return deadline
    }

    private func acknowledge(_ index: Int) throws(FleetError) {
        try deliveries[index].acknowledge(spool)
    }

    /// Logs once a minute how many fixes the spool has dropped.
    private func noteLoss(_ now: MonotonicInstant) {
        guard spool.loss != lastLoss, lastLossNote.map({ $0 + .seconds(60) <= now }) ?? true else {
            return
        }
        lastLoss = spool.loss
        lastLossNote = now
        log("the spool is full: \(spool.loss.text)")
    }
}
