// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
package import GPSReceivers
import RTCM
import Synchronization

/// Sends the messages of one stream of corrections to receivers, and reports its condition.
package final class CorrectionService: Sendable {
    /// Corrections of a station that is farther away, in metres, rarely give centimetres.
    private static let longestBaseline = 50_000.0
    /// The time after which a receiver must have used the corrections.
    private static let useTimeout = Duration.seconds(60)

    private struct State {
        /// When the messages began to flow.
        var flowing: MonotonicInstant?
        var isFarReported = false
        var isUnusedReported = false
    }

    package let feed: CorrectionFeed
    private let log: MessageLog
    private let pool: ReceiverPool
    private let state = Mutex(State())

    package init(_ feed: CorrectionFeed, in pool: ReceiverPool = .shared, log: MessageLog) {
        (self.feed, self.pool, self.log) = (feed, pool, log)
    }

    /// Sends the corrections until the task is cancelled. Returns earlier if the caster has refused
    /// the request. The first receiver's position is the one that the caster gets.
    package func run(for sessions: [ReceiverSession]) async throws -> CorrectionRefusal? {
        let writers = try sessions.map { try CorrectionWriter($0) }
        var subscriptions = [
            feed.conditions.observe { self.report($0) }.scoped,
            feed.messages.observe { message in for writer in writers { writer.add(message) } }
                .scoped,
        ]
        for (session, writer) in zip(sessions, writers) {
            let isFirst = session === sessions.first
            let subscription = session.join { update in
                guard case .epoch(let epoch) = update else { return }
                writer.receivedEpoch()
                if isFirst { self.feed.setPosition(epoch.fix) }
                self.check(epoch.fix, of: session, writer)
            }
            subscriptions.append(subscription)
        }
        defer { withExtendedLifetime(subscriptions) {} }
        return await withTaskGroup(of: Void.self) { group in
            for (session, writer) in zip(sessions, writers) {
                group.addTask {
                    do throws(DeviceError) {
                        try await writer.run()
                    } catch {
                        self.log("\(session.source.name): \(error)", .error)
                    }
                }
            }
            defer { group.cancelAll() }
            return await feed.run(in: pool)
        }
    }

    /// Logs a condition, except for a refusal, which `run` returns.
    private func report(_ condition: CorrectionCondition) {
        if case .refused = condition { return }
        let now = feed.poller.now
        state.withLock { $0.flowing = condition == .flowing ? now : nil }
        log(
            "\(feed.source.name): \(condition.message)", condition.isProblem ? .warning : .info,
            cause: .event("corrections"))
    }

    /// Warns once if the station is too far away, and once if the receiver does not use what it
    /// gets.
    private func check(_ fix: Fix, of session: ReceiverSession, _ writer: CorrectionWriter) {
        guard let coordinate = fix.coordinate else { return }
        let now = feed.poller.now
        if let base = feed.reference?.geodetic?.coordinate,
            !state.withLock({ $0.isFarReported }),
            case let distance = coordinate.distance(to: base), distance > Self.longestBaseline
        {
            state.withLock { $0.isFarReported = true }
            log(
                "\(feed.source.name): the station is \(Int(distance / 1000)) km away; corrections "
                    + "help up to about \(Int(Self.longestBaseline / 1000)) km", .warning)
        }
        let usesCorrections = fix.correctionAge != nil || fix.quality != .autonomous
        let isUnused = state.withLock { state in
            guard !usesCorrections, !state.isUnusedReported, let flowing = state.flowing,
                flowing + Self.useTimeout <= now, writer.counts.messages > 0
            else { return false }
            state.isUnusedReported = true
            return true
        }
        guard isUnused else { return }
        log(
            "\(session.source.name) does not use the corrections that it gets: it may not support "
                + "them, or its port does not accept RTCM 3, which `gpsbridge configure "
                + "\(session.source.name) --show` tells", .warning)
    }
}
