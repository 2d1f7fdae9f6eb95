// SPDX-License-Identifier: MIT
import Synchronization

/// The most recent server-sent events, which any number of viewers read at their own pace.
///
/// A viewer only has a position in the feed. One that falls behind the oldest kept event is
/// disconnected; the browser reconnects by itself and first receives the current state.
package final class EventFeed: Sendable {
    private struct State {
        var events: [[UInt8]] = []
        /// The sequence number of the first kept event.
        var first = 0
        var byteCount = 0
        var viewers: [ObjectIdentifier: EventViewer] = [:]
        var isEnded = false
    }

    /// The result of a lookup of a viewer's next event.
    package enum Lookup {
        case event([UInt8])
        /// The event has not been published yet.
        case awaited
        /// The event is no longer kept, or the feed has ended.
        case gone
    }

    private let limit: Int
    private let state = Mutex(State())
    private let onInterestChange: @Sendable (Bool) -> Void

    /// Creates a feed that keeps `limit` bytes. `onInterestChange` is called when the first viewer
    /// is added and when the last one is removed.
    package init(limit: Int, onInterestChange: @escaping @Sendable (Bool) -> Void = { _ in }) {
        self.limit = limit
        self.onInterestChange = onInterestChange
    }

    /// The sequence number of the next event.
    package var end: Int { state.withLock { $0.first + $0.events.count } }

    /// The number of viewers.
    var viewerCount: Int { state.withLock { $0.viewers.count } }

    /// Returns whether the event with this number is kept, or is the next one.
    func reaches(_ number: Int) -> Bool {
        state.withLock { $0.first...($0.first + $0.events.count) ~= number }
    }

    /// Adds an event, including the empty line at its end.
    package func publish(_ event: [UInt8]) {
        let viewers = state.withLock { state in
            state.events.append(event)
            state.byteCount += event.count
            var surplus = 0
            while state.byteCount > limit, surplus < state.events.count - 1 {
                state.byteCount -= state.events[surplus].count
                surplus += 1
            }
            // Removing events in large batches is cheaper.
            if surplus > 0 {
                state.events.removeFirst(surplus)
                state.first += surplus
            }
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.wake() }
    }

    /// Returns the event with this number.
    package func event(_ number: Int) -> Lookup {
        state.withLock { state in
            guard number >= state.first, !state.isEnded else { return .gone }
            let index = number - state.first
            return index < state.events.count ? .event(state.events[index]) : .awaited
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

/// The encoding of server-sent events.
package enum ServerSentEvent {
    /// Returns an event of one line, such as a JSON object. Line ends in `data`, which would end
    /// the event, are left out.
    package static func bytes(_ data: some Sequence<UInt8>, event: StaticString? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        if let event { bytes += Array("event: \(event)\n".utf8) }
        bytes += Array("data: ".utf8)
        bytes += data.lazy.filter { $0 != 0x0A && $0 != 0x0D }
        bytes += [0x0A, 0x0A]
        return bytes
    }
}
