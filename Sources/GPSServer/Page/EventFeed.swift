// SPDX-License-Identifier: MIT
import Synchronization

/// Stores the most recent server-sent events for any number of viewers, which read them at their
/// own pace.
///
/// A viewer that falls behind the oldest stored event is disconnected. Its browser reconnects
/// automatically, and then receives the current state first.
package final class EventFeed: Sendable {
    private struct State {
        var events: [[UInt8]] = []
        /// The sequence number of the oldest stored event.
        var first = 0
        var byteCount = 0
        var viewers: [ObjectIdentifier: EventViewer] = [:]
        var isEnded = false
    }

    /// The result of looking up an event by its sequence number.
    package enum Lookup {
        case event([UInt8])
        /// The event has not been published yet.
        case awaited
        /// The event is no longer stored, or the feed has ended before it.
        case gone
    }

    private let limit: Int
    private let state = Mutex(State())
    private let onInterestChange: @Sendable (Bool) -> Void

    /// Creates a feed that stores events of at most `limit` bytes in total. Calls
    /// `onInterestChange` with `true` when the first viewer is added, and with `false` when the
    /// last one is removed.
    package init(limit: Int, onInterestChange: @escaping @Sendable (Bool) -> Void = { _ in }) {
        self.limit = limit
        self.onInterestChange = onInterestChange
    }

    /// The sequence number that the next published event will have.
    package var end: Int { state.withLock { $0.first + $0.events.count } }

    /// The number of viewers.
    var viewerCount: Int { state.withLock { $0.viewers.count } }

    /// Returns whether a viewer can start at this sequence number: the event is stored, or will be
    /// the next one.
    func reaches(_ number: Int) -> Bool {
        state.withLock { $0.first...($0.first + $0.events.count) ~= number }
    }

    /// Stores an event and wakes the viewers. `event` includes the empty line at its end.
    package func publish(_ event: [UInt8]) {
        let viewers = state.withLock { state in
            state.events.append(event)
            state.byteCount += event.count
            var surplus = 0
            while state.byteCount > limit, surplus < state.events.count - 1 {
                state.byteCount -= state.events[surplus].count
                surplus += 1
            }
            if surplus > 0 {
                state.events.removeFirst(surplus)
                state.first += surplus
            }
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.wake() }
    }

    /// Ends the feed. Viewers still receive the stored events, and are then disconnected.
    package func end() {
        let viewers = state.withLock { state in
            state.isEnded = true
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.wake() }
    }

    /// Returns the event with this sequence number.
    package func event(_ number: Int) -> Lookup {
        state.withLock { state in
            guard number >= state.first else { return .gone }
            let index = number - state.first
            guard index < state.events.count else { return state.isEnded ? .gone : .awaited }
            return .event(state.events[index])
        }
    }

    /// Adds a viewer.
    func add(_ viewer: EventViewer) {
        let isFirst = state.withLock { state in
            state.viewers[ObjectIdentifier(viewer)] = viewer
            return state.viewers.count == 1
        }
        if isFirst { onInterestChange(true) }
    }

    /// Removes a viewer.
    func remove(_ viewer: EventViewer) {
        let wasLast = state.withLock { state in
            state.viewers.removeValue(forKey: ObjectIdentifier(viewer)) != nil
                && state.viewers.isEmpty
        }
        if wasLast { onInterestChange(false) }
    }
}

/// Encodes server-sent events.
package enum ServerSentEvent {
    /// Returns an event with one line of data, such as a JSON object. Line ends are removed from
    /// `data`, because they would end the event.
    package static func bytes(_ data: some Sequence<UInt8>, event: StaticString? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        if let event { bytes += Array("event: \(event)\n".utf8) }
        bytes += Array("data: ".utf8)
        bytes += data.lazy.filter { $0 != 0x0A && $0 != 0x0D }
        bytes += [0x0A, 0x0A]
        return bytes
    }
}
