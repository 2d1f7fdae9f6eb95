// SPDX-License-Identifier: MIT
import Synchronization

/// Stores the most recent server-sent events for any number of viewers, which read them at their
/// own pace.
///
/// A viewer that falls behind the oldest stored event is disconnected. Its browser reconnects
/// automatically, and then receives the current state first.
package final class EventFeed: Sendable {
    private struct State {
        /// The stored events. The first `removedCount` elements are empty, because their events are
        /// no longer stored.
        var events: [[UInt8]] = []
        private var removedCount = 0
        /// The sequence number of the first element of `events`.
        var base = 0
        var byteCount = 0
        /// The closures that resume the viewers.
        var viewers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var isEnded = false
        var onInterestChange: (@Sendable (Bool) -> Void)?

        /// The sequence number of the oldest stored event.
        var first: Int { base + removedCount }
        /// The sequence number that the next event will have.
        var end: Int { base + events.count }

        /// Adds an event. Removes the oldest events, but not the new one, while all together exceed
        /// `limit` bytes.
        mutating func append(_ event: [UInt8], limit: Int) {
            events.append(event)
            byteCount += event.count
            while byteCount > limit, removedCount < events.count - 1 {
                byteCount -= events[removedCount].count
                events[removedCount] = []
                removedCount += 1
            }
            // Each removal moves all later events, so elements are removed in large groups.
            guard removedCount > 64, removedCount > events.count / 2 else { return }
            events.removeFirst(removedCount)
            (base, removedCount) = (first, 0)
        }
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

    /// Creates a feed that stores events of at most `limit` bytes in total.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Calls `body` with `true` when the first viewer is added, and with `false` when the last one
    /// is removed.
    func observeInterest(_ body: @escaping @Sendable (Bool) -> Void) {
        state.withLock { $0.onInterestChange = body }
    }

    /// The sequence number that the next published event will have.
    package var end: Int { state.withLock { $0.end } }

    var viewerCount: Int { state.withLock { $0.viewers.count } }

    /// Returns whether a viewer can start at this sequence number: the event is stored, or will be
    /// the next one.
    func reaches(_ number: Int) -> Bool {
        state.withLock { $0.first...$0.end ~= number }
    }

    /// Stores an event and wakes the viewers. `event` includes the empty line at its end.
    package func publish(_ event: [UInt8]) {
        change { $0.append(event, limit: limit) }
    }

    /// Ends the feed. Viewers still receive the stored events, and are then disconnected.
    package func finish() {
        change { $0.isEnded = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let viewers = state.withLock { state in
            body(&state)
            return Array(state.viewers.values)
        }
        for resume in viewers { resume() }
    }

    /// Returns the event with this sequence number.
    package func event(_ number: Int) -> Lookup {
        state.withLock { state in
            guard number >= state.first else { return .gone }
            guard number < state.end else { return state.isEnded ? .gone : .awaited }
            return .event(state.events[number - state.base])
        }
    }

    /// Adds a viewer, whose `resume` is called after each new event, or removes it (`nil`).
    fileprivate func set(_ resume: (@Sendable () -> Void)?, of viewer: EventViewer) {
        let (isNews, isWanted, observer) = state.withLock { state in
            let wasWanted = !state.viewers.isEmpty
            state.viewers[ObjectIdentifier(viewer)] = resume
            let isWanted = !state.viewers.isEmpty
            return (isWanted != wasWanted, isWanted, state.onInterestChange)
        }
        if isNews { observer?(isWanted) }
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

/// The response to one viewer of an ``EventFeed``: a greeting, followed by the feed's events.
// Safety: used on the HTTP server's thread only, as are all streams.
package final class EventViewer: HTTPStream, @unchecked Sendable {
    private let feed: EventFeed
    private var greeting: [UInt8]
    private var next: Int
    /// The number of bytes of the greeting or the current event that have been sent.
    private var offset = 0

    /// Creates a viewer that receives `greeting` and then all events from sequence number `next`
    /// on.
    package init(_ feed: EventFeed, from next: Int, greeting: [UInt8]) {
        (self.feed, self.next, self.greeting) = (feed, next, greeting)
    }

    package func begin(resume: @escaping @Sendable () -> Void) { feed.set(resume, of: self) }

    package func end() { feed.set(nil, of: self) }

    package func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        while count < room.count {
            if !greeting.isEmpty {
                count += Self.copy(greeting, &offset, room, at: count)
                if offset == greeting.count { (greeting, offset) = ([], 0) }
                continue
            }
            switch feed.event(next) {
            case .event(let event):
                count += Self.copy(event, &offset, room, at: count)
                if offset == event.count { (next, offset) = (next + 1, 0) }
            case .awaited: return count
            case .gone: return count > 0 ? count : nil
            }
        }
        return count
    }

    private static func copy(
        _ bytes: [UInt8], _ offset: inout Int, _ room: UnsafeMutableRawBufferPointer, at start: Int
    ) -> Int {
        let count = min(bytes.count - offset, room.count - start)
        let part = UnsafeMutableRawBufferPointer(rebasing: room[start..<(start + count)])
        part.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
    }
}
