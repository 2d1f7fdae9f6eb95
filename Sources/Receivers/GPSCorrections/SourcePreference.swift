// SPDX-License-Identifier: MIT
package import GNSS

/// Decides which of several sources of corrections are open, and which one's messages are sent. It is
/// a value without a clock, a task or a socket.
///
/// The first source is the preferred one. The next is opened when those before it send nothing, and
/// closed when a better one has been steady. Two sources with the same account are never open at
/// the same time, because many casters ban an account that has two connections.
package struct SourcePreference: Sendable {
    /// The time without messages after which the next source is opened.
    private static let patience = Duration.seconds(20)
    /// The time for which a better source must send messages before it replaces another one.
    private static let steadyAfter = Duration.seconds(10)
    /// The time after which a better source is tried again, if its account is in use by another one.
    private static let retryAfter = Duration.seconds(300)

    private struct Source: Sendable {
        let account: String?
        var isOpen = false
        /// When the source was opened, or sent its last message.
        var active: MonotonicInstant
        /// Since when messages have been received; `nil` if none are.
        var flowing: MonotonicInstant?
        /// Whether an attempt has failed since messages were last received.
        var hasFailed = false
        var hasEnded = false
        /// When to open the source again, which was closed because of its account.
        var parkedUntil: MonotonicInstant?
    }

    private var sources: [Source]
    /// The source whose messages are sent; `nil` if none sends any.
    package private(set) var selected: Int?

    /// Creates a preference among sources with these accounts; `nil` for a source without one.
    package init(accounts: [String?], at now: MonotonicInstant) {
        sources = accounts.map { Source(account: $0, active: now) }
        update(at: now)
    }

    package func isOpen(_ index: Int) -> Bool { sources[index].isOpen }

    /// Replaces the sources. `former` has the index that each of them had before; `nil` for a new one.
    package mutating func replace(
        accounts: [String?], former: [Int?], at now: MonotonicInstant
    ) {
        sources = zip(accounts, former).map { account, index in
            index.map { sources[$0] } ?? Source(account: account, active: now)
        }
        selected = selected.flatMap { former.firstIndex(of: $0) }
        update(at: now)
    }

    /// Whether all sources have ended.
    package var hasEnded: Bool { sources.allSatisfy(\.hasEnded) }

    /// The time at which to call `update(at:)` if nothing else happens before; `nil` for none.
    package private(set) var wakeAt: MonotonicInstant?

    /// Processes the condition of a source.
    package mutating func receive(
        _ condition: CorrectionCondition, from index: Int, at now: MonotonicInstant
    ) {
        guard sources.indices.contains(index), sources[index].isOpen else { return }
        switch condition {
        case .flowing:
            sources[index].flowing = sources[index].flowing ?? now
            sources[index].hasFailed = false
        case .waiting where sources[index].flowing == nil: sources[index].hasFailed = true
        case .connecting, .refused, .waiting, .silent, .waitingForPosition, .stale: break
        }
        if condition != .flowing, sources[index].flowing != nil {
            (sources[index].flowing, sources[index].active) = (nil, now)
        }
        update(at: now)
    }

    /// Processes the end of a source, which is not opened again: a refusal, or the end of a file.
    package mutating func end(_ index: Int, at now: MonotonicInstant) {
        close(index)
        sources[index].hasEnded = true
        update(at: now)
    }

    /// Opens, closes and selects sources.
    package mutating func update(at now: MonotonicInstant) {
        wakeAt = nil
        if let current = selected, sources[current].flowing == nil { selected = nil }
        for index in sources.indices {
            guard open(index, at: now) else {
                wake(at: sources[index].parkedUntil)
                continue
            }
            let source = sources[index]
            if let flowing = source.flowing {
                let steady = flowing + Self.steadyAfter
                // A better source replaces another one only when it is steady.
                guard selected == nil || selected == index || steady <= now else {
                    wake(at: steady)
                    continue
                }
                selected = index
                for other in sources.indices where other > index { close(other) }
                return
            }
            // Those after it stay as they are until it has had its time.
            let end = source.active + Self.patience
            guard source.hasFailed || end <= now else { return wake(at: end) }
        }
    }

    private mutating func wake(at time: MonotonicInstant?) {
        guard let time else { return }
        wakeAt = min(wakeAt ?? time, time)
    }

    /// Opens a source unless it has ended or is parked. Returns whether it is open.
    private mutating func open(_ index: Int, at now: MonotonicInstant) -> Bool {
        guard !sources[index].hasEnded, sources[index].parkedUntil.map({ $0 <= now }) ?? true
        else { return false }
        guard !sources[index].isOpen else { return true }
        if let account = sources[index].account {
            for other in sources.indices
            where other != index && sources[other].isOpen && sources[other].account == account {
                close(other)
                if selected == other { selected = nil }
                if other < index { sources[other].parkedUntil = now + Self.retryAfter }
            }
        }
        sources[index].parkedUntil = nil
        sources[index].isOpen = true
        (sources[index].active, sources[index].flowing) = (now, nil)
        sources[index].hasFailed = false
        return true
    }

    private mutating func close(_ index: Int) {
        (sources[index].isOpen, sources[index].flowing) = (false, nil)
        sources[index].parkedUntil = nil
    }
}
