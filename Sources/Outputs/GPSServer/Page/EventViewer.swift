// SPDX-License-Identifier: MIT
import Synchronization

/// The response to one viewer of an ``EventFeed``: a greeting, followed by the feed's events.
package final class EventViewer: HTTPStream {
    private struct State {
        var greeting: [UInt8]
        var next: Int
        /// The number of bytes of the greeting or the current event that have been sent.
        var offset = 0
        var resume: (@Sendable () -> Void)?
    }

    private let feed: EventFeed
    private let state: Mutex<State>

    /// Creates a viewer that receives `greeting` and then all events from sequence number `next`
    /// on.
    package init(_ feed: EventFeed, from next: Int, greeting: [UInt8]) {
        self.feed = feed
        state = Mutex(State(greeting: greeting, next: next))
    }

    package func begin(resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
        feed.add(self)
    }

    /// Resumes sending. The feed calls this after each new event.
    func wake() {
        state.withLock { $0.resume }?()
    }

    package func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            var count = 0
            while count < room.count {
                if !state.greeting.isEmpty {
                    count += Self.copy(state.greeting, &state.offset, room, at: count)
                    if state.offset == state.greeting.count {
                        (state.greeting, state.offset) = ([], 0)
                    }
                    continue
                }
                switch feed.event(state.next) {
                case .event(let event):
                    count += Self.copy(event, &state.offset, room, at: count)
                    if state.offset == event.count {
                        (state.next, state.offset) = (state.next + 1, 0)
                    }
                case .awaited: return count
                case .gone: return count > 0 ? count : nil
                }
            }
            return count
        }
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

    package func end() {
        state.withLock { $0.resume = nil }
        feed.remove(self)
    }
}
