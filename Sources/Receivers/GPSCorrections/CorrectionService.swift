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
    /// A problem of a receiver with a source.
    private struct Warning: Hashable {
        let problem: CorrectionState
        let session: ObjectIdentifier
        let feed: ObjectIdentifier
    }

    private struct State {
        /// The sources in the order of preference.
        var feeds: [CorrectionFeed]
        var preference: SourcePreference
        var receivers: [ReceiverSession] = []
        /// The lines of the receivers.
        var links: [ObjectIdentifier: CorrectionLink] = [:]
        /// The open sources.
        var runs: [ObjectIdentifier: Task<Void, Never>] = [:]
        var refusals: [ObjectIdentifier: CorrectionRefusal] = [:]
        /// The problems of receivers with sources that have been logged.
        var warnings: Set<Warning> = []
        /// The sources and receivers that replace the current ones; `nil` for no change.
        var change: (feeds: [CorrectionFeed], receivers: [ReceiverSession])?
        /// Wakes the running service.
        var wakeUp: WakeUp?

        func index(of feed: CorrectionFeed) -> Int? { feeds.firstIndex { $0 === feed } }

        /// Whether the messages of a source are sent.
        func isUsed(_ feed: CorrectionFeed) -> Bool {
            guard let index = index(of: feed) else { return false }
            return preference.selected ?? index == index
        }
    }

    private let log: MessageLog
    private let pool: ReceiverPool
    private let poller: Poller
    private let canChange: Bool
    private let state: Mutex<State>

    /// Creates a service for sources in the order of preference. If `canChange` is `true`, it also runs
    /// while no source is left, because `change` may add some.
    package init(
        _ feeds: [CorrectionFeed], canChange: Bool = false, in pool: ReceiverPool = .shared,
        log: MessageLog
    ) {
        (self.canChange, self.pool, self.log) = (canChange, pool, log)
        poller = feeds.first?.poller ?? .shared
        let accounts = feeds.map(\.account)
        state = Mutex(
            State(
                feeds: feeds, preference: SourcePreference(accounts: accounts, at: poller.now)))
    }

    /// The sources in the order of preference.
    package var feeds: [CorrectionFeed] { state.withLock { $0.feeds } }

    /// The source whose messages are sent or, if none sends any, the preferred one.
    package var feed: CorrectionFeed? {
        state.withLock { state in
            let selected = state.preference.selected ?? 0
            return state.feeds.indices.contains(selected) ? state.feeds[selected] : nil
        }
    }

    /// Replaces sources and receivers. A source or a receiver that the service already has stays
    /// connected.
    package func change(to feeds: [CorrectionFeed], for receivers: [ReceiverSession]) {
        let wakeUp = state.withLock { state in
            state.change = (feeds, receivers)
            return state.wakeUp
        }
        wakeUp?.signal()
    }

    /// Replaces the receivers, and keeps the sources, also those of a change that has not been executed
    /// yet.
    package func change(receivers: [ReceiverSession]) {
        let wakeUp = state.withLock { state in
            state.change = (state.change?.feeds ?? state.feeds, receivers)
            return state.wakeUp
        }
        wakeUp?.signal()
    }

    /// Sends the corrections until the task is cancelled. Returns earlier if all casters have
    /// refused the request. The first receiver's position is the one that the caster gets. A receiver
    /// that is itself a source, such as a moving base, gets none.
    package func run(for receivers: [ReceiverSession]) async throws -> CorrectionRefusal? {
        let wakeUp = try WakeUp(poller: poller)
        state.withLock { state in
            state.wakeUp = wakeUp
            state.change = state.change ?? (state.feeds, receivers)
        }
        return try await withTaskExecutorPreference(poller) { try await self.follow(wakeUp) }
    }

    /// Executes changes, and opens and closes sources, until the task is cancelled, or all have been
    /// refused or have ended.
    private func follow(_ wakeUp: WakeUp) async throws -> CorrectionRefusal? {
        var subscriptions: [ObjectIdentifier: [ScopedSubscription]] = [:]
        var writers: [ObjectIdentifier: Task<Void, Never>] = [:]
        defer {
            withExtendedLifetime(subscriptions) {}
            for writer in writers.values { writer.cancel() }
        }
        while !Task.isCancelled {
            if let change = state.withLock({ exchange(&$0.change, with: nil) }) {
                replaceFeeds(by: change.feeds, wakeUp, &subscriptions)
                try replaceReceivers(by: change.receivers, &subscriptions, &writers)
            }
            await openAndClose(wakeUp)
            let (isOver, end) = state.withLock { ($0.preference.hasEnded, $0.preference.wakeAt) }
            if isOver, !canChange { break }
            _ = await wakeUp.wait(until: end)
        }
        let tasks = Array(writers.values) + state.withLock { Array($0.runs.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        return state.withLock { state in
            state.feeds.compactMap { state.refusals[ObjectIdentifier($0)] }.first
        }
    }

    // MARK: Sources

    private func replaceFeeds(
        by feeds: [CorrectionFeed], _ wakeUp: WakeUp,
        _ subscriptions: inout [ObjectIdentifier: [ScopedSubscription]]
    ) {
        let former = state.withLock { state in
            let former = state.feeds
            let places = feeds.map { state.index(of: $0) }
            state.preference.replace(
                accounts: feeds.map(\.account), former: places, at: poller.now)
            state.feeds = feeds
            return former
        }
        for feed in former where !feeds.contains(where: { $0 === feed }) {
            let id = ObjectIdentifier(feed)
            subscriptions[id] = nil
            state.withLock { state in
                state.refusals[id] = nil
                state.warnings = state.warnings.filter { $0.feed != id }
            }
        }
        for feed in feeds where subscriptions[ObjectIdentifier(feed)] == nil {
            subscriptions[ObjectIdentifier(feed)] = [
                feed.conditions.observe { [weak feed] condition in
                    guard let feed else { return }
                    self.received(condition, from: feed)
                    wakeUp.signal()
                }.scoped,
                feed.messages.observe { [weak feed] message in
                    guard let feed else { return }
                    let links = self.state.withLock { $0.isUsed(feed) ? $0.links : [:] }
                    for link in links.values { link.writer.add(message) }
                }.scoped,
            ]
        }
    }

    private func openAndClose(_ wakeUp: WakeUp) async {
        // A source is closed before another one with the same account is opened.
        let closing = state.withLock { state in
            state.preference.update(at: poller.now)
            let open = Set(
                state.feeds.indices.filter { state.preference.isOpen($0) }
                    .map { ObjectIdentifier(state.feeds[$0]) })
            return state.runs.filter { !open.contains($0.key) }
        }
        for (feed, run) in closing {
            run.cancel()
            await run.value
            state.withLock { $0.runs[feed] = nil }
        }
        let opening = state.withLock { state in
            state.feeds.indices.filter { state.preference.isOpen($0) }.map { state.feeds[$0] }
                .filter { state.runs[ObjectIdentifier($0)] == nil }
        }
        for feed in opening {
            let run = Task(executorPreference: poller) { [pool] in
                let refusal = await feed.run(in: pool)
                guard !Task.isCancelled else { return }
                self.ended(feed, refusal)
                wakeUp.signal()
            }
            state.withLock { $0.runs[ObjectIdentifier(feed)] = run }
        }
    }

    /// Processes the end of a source: a refusal, or the end of a file.
    private func ended(_ feed: CorrectionFeed, _ refusal: CorrectionRefusal?) {
        let isOnly = state.withLock { state in
            state.refusals[ObjectIdentifier(feed)] = refusal
            if let index = state.index(of: feed) { state.preference.end(index, at: poller.now) }
            return state.feeds.count == 1
        }
        // `run` returns the refusal of the only source.
        guard canChange || !isOnly, let refusal else { return }
        log("\(feed.source.name): \(refusal.message)", .error)
    }

    private func received(_ condition: CorrectionCondition, from feed: CorrectionFeed) {
        let index = state.withLock { state in
            let index = state.index(of: feed)
            if let index { state.preference.receive(condition, from: index, at: poller.now) }
            return index
        }
        guard let index else { return }
        if case .refused = condition { return }
        log(
            "\(feed.source.name): \(condition.message)", condition.isProblem ? .warning : .info,
            cause: .event("corrections \(index)"))
    }

    // MARK: Receivers

    private func replaceReceivers(
        by receivers: [ReceiverSession],
        _ subscriptions: inout [ObjectIdentifier: [ScopedSubscription]],
        _ writers: inout [ObjectIdentifier: Task<Void, Never>]
    ) throws {
        let bases = feeds.compactMap { feed in
            if case .receiver(let source) = feed.source { pool.session(for: source) } else { nil }
        }
        // Without sources, receivers have no state of corrections.
        let sessions =
            feeds.isEmpty
            ? [] : receivers.filter { session in !bases.contains { $0 === session } }
        let former = state.withLock { exchange(&$0.receivers, with: sessions) }
        for session in former where !sessions.contains(where: { $0 === session }) {
            let id = ObjectIdentifier(session)
            (subscriptions[id], session.correctionSender) = (nil, nil)
            writers.removeValue(forKey: id)?.cancel()
            state.withLock { state in
                state.links[id] = nil
                state.warnings = state.warnings.filter { $0.session != id }
            }
        }
        for session in sessions where writers[ObjectIdentifier(session)] == nil {
            let id = ObjectIdentifier(session)
            let link = CorrectionLink(try CorrectionWriter(session), self)
            state.withLock { $0.links[id] = link }
            session.correctionSender = link
            subscriptions[id] = [
                session.join { [weak session] update in
                    guard let session, case .epoch(let epoch) = update else { return }
                    link.writer.receivedEpoch()
                    if self.state.withLock({ $0.receivers.first === session }) {
                        for feed in self.feeds { feed.setPosition(epoch.fix) }
                    }
                    self.check(epoch.fix.corrections, of: session, link.writer)
                }
            ]
            writers[id] = Task(executorPreference: poller) { [log] in
                do throws(DeviceError) {
                    try await link.writer.run()
                } catch {
                    log("\(session.source.name): \(error)", .error)
                }
            }
        }
    }

    /// Warns once of each problem of a receiver with a source.
    private func check(
        _ report: CorrectionReport, of session: ReceiverSession, _ writer: CorrectionWriter
    ) {
        guard let problem = report.state, problem != .flowing, let feed else { return }
        let warning = Warning(
            problem: problem, session: ObjectIdentifier(session), feed: ObjectIdentifier(feed))
        guard state.withLock({ !$0.warnings.contains(warning) }) else { return }
        let name = session.source.name
        let text: String
        switch problem {
        case .farBase:
            let kilometres = (report.baseDistance ?? 0) / 1000
            text =
                "\(feed.source.name): the base is \(Int(kilometres)) km away from \(name); "
                + "corrections help up to about 50 km"
        case .wrongDatum:
            text =
                "\(name): the position jumped when the receiver began to use the corrections of "
                + "\(feed.source.name): the base's position is wrong, or in another datum"
        case .simulatedBase:
            text =
                "\(feed.source.name): the base is simulated, and \(name) is not: it cannot use "
                + "these corrections"
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
        state.withLock { _ = $0.warnings.insert(warning) }
        log(text, .warning)
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
        var status = service?.feed?.status ?? CorrectionStatus(.connecting)
        let counts = writer.counts
        (status.sentCount, status.droppedCount) = (counts.messages, counts.dropped)
        status.firstSent = writer.firstWrite
        if status.state == .flowing, writer.isOverloaded { status.state = .slowLine }
        return status
    }
}
