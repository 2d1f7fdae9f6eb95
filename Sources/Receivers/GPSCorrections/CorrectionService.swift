// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
package import GPSReceivers
import RTCM
import Synchronization

/// Sends the messages of a stream of corrections to receivers, and reports its condition. If there
/// are several sources, the first one that sends messages is used.
package final class CorrectionService: Sendable {
    private struct State {
        var preference: SourcePreference
        /// The open sources.
        var runs: [Int: Task<Void, Never>] = [:]
        var refusals: [Int: CorrectionRefusal] = [:]
        /// The warnings about receivers that have been logged.
        var warnings: Set<String> = []
    }

    package let feeds: [CorrectionFeed]
    private let log: MessageLog
    private let pool: ReceiverPool
    private let poller: Poller
    private let state: Mutex<State>

    /// Creates a service for sources in the order of preference.
    package init(_ feeds: [CorrectionFeed], in pool: ReceiverPool = .shared, log: MessageLog) {
        (self.feeds, self.pool, self.log) = (feeds, pool, log)
        poller = feeds.first?.poller ?? .shared
        state = Mutex(
            State(preference: SourcePreference(accounts: feeds.map(\.account), at: poller.now)))
    }

    /// The source whose messages are sent or, if none sends any, the preferred one.
    package var feed: CorrectionFeed? {
        let selected = state.withLock { $0.preference.selected } ?? 0
        return feeds.indices.contains(selected) ? feeds[selected] : nil
    }

    /// Sends the corrections until the task is cancelled. Returns earlier if all casters have
    /// refused the request. The first receiver's position is the one that the caster gets. A receiver
    /// that is itself a source, such as a moving base, gets none.
    package func run(for receivers: [ReceiverSession]) async throws -> CorrectionRefusal? {
        let bases = feeds.compactMap { feed in
            if case .receiver(let source) = feed.source { pool.session(for: source) } else { nil }
        }
        let sessions = receivers.filter { session in !bases.contains { $0 === session } }
        let wakeUp = try WakeUp(poller: poller)
        let links = try sessions.map { CorrectionLink(try CorrectionWriter($0), self) }
        var subscriptions: [ScopedSubscription] = []
        for (index, feed) in feeds.enumerated() {
            subscriptions += [
                feed.conditions.observe { condition in
                    self.received(condition, from: index)
                    wakeUp.signal()
                }.scoped,
                feed.messages.observe { message in
                    guard self.state.withLock({ $0.preference.selected }) ?? index == index else {
                        return
                    }
                    for link in links { link.writer.add(message) }
                }.scoped,
            ]
        }
        for (session, link) in zip(sessions, links) {
            let isFirst = session === sessions.first
            session.correctionSender = link
            let subscription = session.join { update in
                guard case .epoch(let epoch) = update else { return }
                link.writer.receivedEpoch()
                if isFirst { for feed in self.feeds { feed.setPosition(epoch.fix) } }
                self.check(epoch.fix.corrections, of: session, link.writer)
            }
            subscriptions.append(subscription)
        }
        defer { withExtendedLifetime(subscriptions) {} }
        return await withTaskGroup(of: Void.self) { group in
            for (session, link) in zip(sessions, links) {
                group.addTask {
                    do throws(DeviceError) {
                        try await link.writer.run()
                    } catch {
                        self.log("\(session.source.name): \(error)", .error)
                    }
                }
            }
            defer { group.cancelAll() }
            return await withTaskExecutorPreference(poller) { await self.follow(wakeUp) }
        }
    }

    // MARK: Sources

    /// Opens and closes sources until the task is cancelled, or all have been refused or have ended.
    private func follow(_ wakeUp: WakeUp) async -> CorrectionRefusal? {
        while !Task.isCancelled {
            state.withLock { $0.preference.update(at: poller.now) }
            // A source is closed before another one with the same account is opened.
            for (index, run) in state.withLock({ $0.runs }) {
                guard !state.withLock({ $0.preference.isOpen(index) }) else { continue }
                run.cancel()
                await run.value
                state.withLock { $0.runs[index] = nil }
            }
            for index in feeds.indices {
                let isNew = state.withLock {
                    $0.preference.isOpen(index) && $0.runs[index] == nil
                }
                guard isNew else { continue }
                let run = Task(executorPreference: poller) { [feed = feeds[index], pool] in
                    let refusal = await feed.run(in: pool)
                    guard !Task.isCancelled else { return }
                    self.ended(index, refusal)
                    wakeUp.signal()
                }
                state.withLock { $0.runs[index] = run }
            }
            let (isOver, end) = state.withLock { ($0.preference.hasEnded, $0.preference.wakeAt) }
            if isOver { break }
            _ = await wakeUp.wait(until: end)
        }
        let (runs, refusals) = state.withLock { ($0.runs, $0.refusals) }
        for run in runs.values { run.cancel() }
        for run in runs.values { await run.value }
        return refusals.min { $0.key < $1.key }?.value
    }

    /// Processes the end of a source: a refusal, or the end of a file.
    private func ended(_ index: Int, _ refusal: CorrectionRefusal?) {
        state.withLock { state in
            state.refusals[index] = refusal
            state.preference.end(index, at: poller.now)
        }
        // `run` returns the refusal of the only source.
        guard feeds.count > 1, let refusal else { return }
        log("\(feeds[index].source.name): \(refusal.message)", .error)
    }

    private func received(_ condition: CorrectionCondition, from index: Int) {
        state.withLock { $0.preference.receive(condition, from: index, at: poller.now) }
        if case .refused = condition { return }
        log(
            "\(feeds[index].source.name): \(condition.message)",
            condition.isProblem ? .warning : .info, cause: .event("corrections \(index)"))
    }

    // MARK: Receivers

    /// Warns once of each problem of a receiver.
    private func check(
        _ report: CorrectionReport, of session: ReceiverSession, _ writer: CorrectionWriter
    ) {
        guard let feed, let problem = report.state else { return }
        let name = session.source.name
        let text: String
        switch problem {
        case .farBase:
            let kilometres = (report.baseDistance ?? 0) / 1000
            text =
                "\(feed.source.name): the base is \(Int(kilometres)) km away from \(name); "
                + "corrections help up to about 50 km"
        case .slowLine:
            guard let rate = writer.lineRate, let needed = feed.bytesPerSecond else { return }
            text =
                "\(name): the corrections need \(Int(needed * 10)) bits per second, and the line "
                + "carries \(rate.rawValue): use a stream with fewer messages, or raise the baud "
                + "rate by `gpsbridge configure \(name) --baud 115200`"
        case .unused:
            text =
                "\(name) does not use the corrections that it gets. If it has RTK, its port may not "
                + "accept them: `gpsbridge configure \(name) --rtcm-input on` switches that on"
        default: return
        }
        let isNew = state.withLock { $0.warnings.insert("\(problem) \(name)").inserted }
        if isNew { log(text, .warning) }
    }
}

/// Reports to a receiver's session what is sent to it.
private final class CorrectionLink: CorrectionSender {
    let writer: CorrectionWriter
    private weak let service: CorrectionService?

    init(_ writer: CorrectionWriter, _ service: CorrectionService) {
        (self.writer, self.service) = (writer, service)
    }

    func status() -> CorrectionStatus {
        let feed = service?.feed
        var status = CorrectionStatus(feed?.condition.state ?? .connecting)
        let counts = writer.counts
        (status.sentCount, status.droppedCount) = (counts.messages, counts.dropped)
        status.firstSent = writer.firstWrite
        if status.state == .flowing, writer.isOverloaded { status.state = .slowLine }
        status.bitRate = feed?.bytesPerSecond.map { $0 * 8 }
        status.base = feed?.reference?.geodetic?.coordinate
        status.types = feed?.types
        return status
    }
}
