// SPDX-License-Identifier: MIT
import Synchronization

/// A client that reports are sent to.
package protocol ReportRecipient: AnyObject, Sendable {
    /// Sends whole lines, without waiting.
    func send(reports: [UInt8])
}

/// Distributes reports: collects what one read of a receiver leads to, and sends each client its share
/// of that in one piece.
package final class ReportHub: Sendable {
    private struct Entry {
        let recipient: any ReportRecipient
        let filter: ReportFilter
    }

    private struct State {
        var pending: [Report] = []
        /// The clients that want anything.
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The numbers of clients that requested sentences, and bytes.
        var sentenceCount = 0
        var bytesCount = 0
        /// The number of clients that requested the times of reports.
        var timedCount = 0
        /// Whether reports are being sent in turns with other work: newer ones wait until these are sent.
        var isSendingInTurns = false

        mutating func set(_ entry: Entry?, for id: ObjectIdentifier) {
            if let old = entries[id]?.filter {
                sentenceCount -= old.sentences ? 1 : 0
                bytesCount -= old.bytes ? 1 : 0
                timedCount -= old.isTimed ? 1 : 0
            }
            let entry = entry.flatMap { $0.filter.isClosed ? nil : $0 }
            entries[id] = entry
            if let new = entry?.filter {
                sentenceCount += new.sentences ? 1 : 0
                bytesCount += new.bytes ? 1 : 0
                timedCount += new.isTimed ? 1 : 0
            }
        }
    }

    /// More clients than these are sent reports in turns with other work.
    private static let many = 256
    /// The number of clients served before receivers are read again, which takes less than a millisecond.
    private static let stride = 64
    /// So many clients are sent a fix before anything else.
    private static let few = 16

    private let state = Mutex(State())
    private let ticks: AsyncStream<Void>
    private let tick: AsyncStream<Void>.Continuation
    private let onInterestChange = Mutex<(@Sendable (_ sentences: Bool, _ bytes: Bool) -> Void)?>(
        nil)

    /// Creates a hub without clients.
    package init() {
        (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether a client requested the times of reports.
    package var wantsTiming: Bool { state.withLock { $0.timedCount > 0 } }

    /// Calls `body` now and after changes, with whether a client requests sentences or bytes.
    package func observeInterest(_ body: @escaping @Sendable (Bool, Bool) -> Void) {
        onInterestChange.withLock { $0 = body }
        announceInterest()
    }

    /// Adds a client, or changes its filter.
    package func set(_ filter: ReportFilter, for recipient: some ReportRecipient) {
        change(Entry(recipient: recipient, filter: filter), ObjectIdentifier(recipient))
    }

    /// Removes a client.
    package func remove(_ recipient: some ReportRecipient) {
        change(nil, ObjectIdentifier(recipient))
    }

    private func change(_ entry: Entry?, _ id: ObjectIdentifier) {
        let hasChanged = state.withLock { state in
            let before = (state.sentenceCount > 0, state.bytesCount > 0)
            state.set(entry, for: id)
            return before != (state.sentenceCount > 0, state.bytesCount > 0)
        }
        if hasChanged { announceInterest() }
    }

    private func announceInterest() {
        let (sentences, bytes) = state.withLock { ($0.sentenceCount > 0, $0.bytesCount > 0) }
        onInterestChange.withLock { $0 }?(sentences, bytes)
    }

    /// Adds a report, which is sent by the next `flush()`, or with others after the next `publish(_:)`.
    package func append(_ report: Report) {
        state.withLock { $0.pending.append(report) }
    }

    /// Adds a report, which is sent when the thread has finished its current work.
    package func publish(_ report: Report) {
        append(report)
        tick.yield()
    }

    /// Sends the reports that have been added: at once, or in turns with other work where there are many
    /// clients. With `ifFew` it leaves them to the next flush unless so few clients are there that one
    /// more send to each costs less than waiting. Returns whether it has sent any.
    @discardableResult
    package func flush(ifFew: Bool = false) -> Bool {
        let work = state.withLock { state -> (reports: [Report], entries: [Entry])? in
            guard !state.pending.isEmpty else { return nil }
            guard !ifFew || state.entries.count <= Self.few else { return nil }
            if state.isSendingInTurns || state.entries.count > Self.many { return ([], []) }
            defer { state.pending.removeAll() }
            return (state.pending, Array(state.entries.values))
        }
        guard let work else { return false }
        guard !work.reports.isEmpty else {
            tick.yield()
            return false
        }
        var batches: [ReportFilter: [UInt8]] = [:]
        var hasSent = false
        for entry in work.entries where Self.send(work.reports, to: entry, &batches) {
            hasSent = true
        }
        return hasSent
    }

    /// Sends reports until cancelled.
    package func run() async {
        for await _ in ticks { await flushInTurns() }
    }

    private func flushInTurns() async {
        let (reports, entries) = state.withLock { state in
            defer { (state.pending, state.isSendingInTurns) = ([], true) }
            return (state.pending, state.entries)
        }
        defer { state.withLock { $0.isSendingInTurns = false } }
        guard !reports.isEmpty else { return }
        var batches: [ReportFilter: [UInt8]] = [:]
        var count = 0
        for entry in entries.values where Self.send(reports, to: entry, &batches) {
            count += 1
            if count % Self.stride == 0 { await Task.yield() }
        }
    }

    /// Sends a client the reports that pass its filter; returns `false` if there are none.
    private static func send(
        _ reports: [Report], to entry: Entry, _ batches: inout [ReportFilter: [UInt8]]
    ) -> Bool {
        let batch = batches[entry.filter] ?? Self.batch(reports, entry.filter)
        batches[entry.filter] = batch
        guard !batch.isEmpty else { return false }
        entry.recipient.send(reports: batch)
        return true
    }

    private static func batch(_ reports: [Report], _ filter: ReportFilter) -> [UInt8] {
        reports.reduce(into: []) { batch, report in
            guard filter.passes(report) else { return }
            batch += filter.isTimed ? report.timedBytes ?? report.bytes : report.bytes
        }
    }
}
