// SPDX-License-Identifier: MIT
package import AIS
import Synchronization

/// A destination of reports, such as a client.
package protocol ReportRecipient: AnyObject, Sendable {
    /// Sends whole lines without waiting.
    func send(reports: [UInt8])
}

/// Distributes reports to clients. Collects the reports that one read of a receiver produces, and
/// sends each client its selection of them in one piece.
package final class ReportHub: Sendable {
    private struct Entry {
        let recipient: any ReportRecipient
        let filter: ReportFilter
    }

    private struct State {
        var pending: [Report] = []
        /// The clients with a filter that is not closed.
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of clients that want sentences.
        var sentenceCount = 0
        var bytesCount = 0
        /// The number of clients that want the times of reports.
        var timedCount = 0
        /// The numbers of clients that requested objects, by the variant of AIS objects.
        var vesselCounts: [AISReports.Options: Int] = [:]
        /// Whether reports are being sent in steps between other work; newer ones wait until these
        /// are sent.
        var isSendingInTurns = false

        mutating func set(_ entry: Entry?, for id: ObjectIdentifier) {
            if let old = entries[id]?.filter {
                sentenceCount -= old.sentences ? 1 : 0
                bytesCount -= old.bytes ? 1 : 0
                timedCount -= old.isTimed ? 1 : 0
                count(old, by: -1)
            }
            let entry = entry.flatMap { $0.filter.isClosed ? nil : $0 }
            entries[id] = entry
            if let new = entry?.filter {
                sentenceCount += new.sentences ? 1 : 0
                bytesCount += new.bytes ? 1 : 0
                timedCount += new.isTimed ? 1 : 0
                count(new, by: 1)
            }
        }

        private mutating func count(_ filter: ReportFilter, by step: Int) {
            guard filter.objects else { return }
            let count = (vesselCounts[filter.vessels] ?? 0) + step
            vesselCounts[filter.vessels] = count > 0 ? count : nil
        }
    }

    /// The number of clients above which reports are sent in steps between other work.
    private static let many = 256
    /// The number of clients in one step, which takes less than a millisecond.
    private static let stride = 64
    /// The highest number of clients for which a fix is sent before anything else.
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

    /// The variants of AIS objects that clients requested.
    package var vesselOptions: [AISReports.Options] {
        state.withLock { Array($0.vesselCounts.keys) }
    }

    /// Calls `body` now and after each change with whether any client wants sentences, and bytes.
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

    /// Adds a report; the next `flush()`, or the send after the next `publish(_:)`, sends it.
    package func append(_ report: Report) {
        state.withLock { $0.pending.append(report) }
    }

    /// Adds a report, which is sent as soon as the thread has finished its current work.
    package func publish(_ report: Report) {
        append(report)
        tick.yield()
    }

    /// Sends the added reports: at once, or in steps between other work if there are many clients.
    /// With `ifFew`, leaves them to the next flush unless there are so few clients that an
    /// additional send to each is cheap. Returns whether it has sent any.
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

    /// Sends published reports until the task is cancelled.
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

    /// Sends a client its selection of the reports; returns `false` if that is empty.
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
