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
        var entries: [ObjectIdentifier: Entry] = [:]
        /// How many clients want sentences, and bytes.
        var sentenceCount = 0
        var bytesCount = 0

        mutating func set(_ entry: Entry?, for id: ObjectIdentifier) {
            if let old = entries[id]?.filter {
                sentenceCount -= old.sentences ? 1 : 0
                bytesCount -= old.bytes ? 1 : 0
            }
            entries[id] = entry
            if let new = entry?.filter {
                sentenceCount += new.sentences ? 1 : 0
                bytesCount += new.bytes ? 1 : 0
            }
        }
    }

    /// After so many clients others get their turn on the polling thread.
    private static let stride = 256

    private let state = Mutex(State())
    private let ticks: AsyncStream<Void>
    private let tick: AsyncStream<Void>.Continuation
    private let onInterestChange = Mutex<(@Sendable (_ sentences: Bool, _ bytes: Bool) -> Void)?>(
        nil)

    /// Creates a hub without clients.
    package init() {
        (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many clients there are.
    package var recipientCount: Int { state.withLock { $0.entries.count } }

    /// Calls `body` with whether any client wants sentences or bytes, now and after changes.
    package func observeInterest(_ body: @escaping @Sendable (Bool, Bool) -> Void) {
        onInterestChange.withLock { $0 = body }
        announceInterest()
    }

    /// Adds a client, or changes what it wants.
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

    /// Hands over a report; it is sent as soon as the thread has finished what it is doing.
    package func publish(_ report: Report) {
        let isFirst = state.withLock { state in
            state.pending.append(report)
            return state.pending.count == 1
        }
        if isFirst { tick.yield() }
    }

    /// Sends reports until cancelled.
    package func run() async {
        for await _ in ticks { await flush() }
    }

    private func flush() async {
        let (reports, entries) = state.withLock { state in
            defer { state.pending = [] }
            return (state.pending, state.entries)
        }
        var batches: [ReportFilter: [UInt8]] = [:]
        var count = 0
        for entry in entries.values where !entry.filter.isClosed {
            let batch = batches[entry.filter] ?? Self.batch(reports, entry.filter)
            batches[entry.filter] = batch
            guard !batch.isEmpty else { continue }
            entry.recipient.send(reports: batch)
            count += 1
            if count % Self.stride == 0 { await Task.yield() }
        }
    }

    private static func batch(_ reports: [Report], _ filter: ReportFilter) -> [UInt8] {
        reports.reduce(into: []) { batch, report in
            if filter.passes(report) { batch += report.bytes }
        }
    }
}
