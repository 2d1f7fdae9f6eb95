// SPDX-License-Identifier: MIT

/// Lets a source that can wait, such as a file, wait for its consumers.
///
/// A stream or a delivery queue holds the source while its buffer is half full or more. A stream
/// without a loop that reads it holds it only until `ignoreUnread()` is called.
@usableFromInline
package final class FlowControl: Sendable {
    private struct State {
        /// Buffers that are read and hold the source.
        var read = 0
        /// Buffers that hold the source and that nothing reads.
        var unread = 0
        var ignoresUnread = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isClear: Bool { read <= 0 && (unread <= 0 || ignoresUnread) }

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    /// How one buffer holds the source.
    package enum Hold: Sendable {
        /// Not at all.
        case none
        /// Until it is read, or `ignoreUnread()` is called.
        case unread
        /// Until it is read.
        case read

        init(count: Int, of policy: BufferingPolicy, isRead: Bool) {
            let limit = policy.limit
            let isFull = limit > 0 && limit < .max && count >= max(1, limit / 2)
            self = !isFull ? .none : isRead ? .read : .unread
        }
    }

    private let state = Locked(State())

    /// Creates a control that nothing holds.
    package init() {}

    /// Whether the source may go on.
    package var isClear: Bool { state.withLock { $0.isClear } }

    /// Waits until the source may go on; may return early, as on cancellation.
    package func waitUntilClear() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mayGoOn = state.withLock { state in
                    if state.isClear || Task.isCancelled { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if mayGoOn { waiter.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    /// Has all that wait look again.
    package func wake() {
        for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
    }

    /// Stops waiting for streams that nothing reads, until all of them have room again.
    package func ignoreUnread() {
        state.withLock { $0.ignoresUnread = $0.unread > 0 }
        wake()
    }

    /// Has the source wait for a buffer that is read, or no longer.
    package func setFull(_ isFull: Bool) {
        change(from: isFull ? .none : .read, to: isFull ? .read : .none)
    }

    /// Replaces what a buffer counted for.
    package func change(from old: Hold, to new: Hold) {
        guard old != new else { return }
        let waiters = state.withLock { state in
            state.read += (new == .read ? 1 : 0) - (old == .read ? 1 : 0)
            state.unread += (new == .unread ? 1 : 0) - (old == .unread ? 1 : 0)
            if state.unread <= 0 { state.ignoresUnread = false }
            return state.isClear ? state.takeWaiters() : []
        }
        for waiter in waiters { waiter.resume() }
    }
}
