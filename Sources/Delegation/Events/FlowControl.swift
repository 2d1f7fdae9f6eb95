// SPDX-License-Identifier: MIT

/// Pauses a source that can wait, such as a file, while its consumers' buffers are full.
///
/// A stream or a delivery queue holds the source while its buffer is half full or more. A stream
/// that no loop reads holds it only until `ignoreUnread()` is called.
@usableFromInline
package final class FlowControl: Sendable {
    private struct State {
        /// The number of buffers that are read and hold the source.
        var read = 0
        /// The number of buffers that hold the source and that no loop reads.
        var unread = 0
        var ignoresUnread = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isClear: Bool { read <= 0 && (unread <= 0 || ignoresUnread) }

        mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    /// The effect of one buffer on the source.
    package enum Hold: Sendable {
        /// The source may continue.
        case none
        /// The source waits until the buffer is read or `ignoreUnread()` is called.
        case unread
        /// The source waits until the buffer is read.
        case read

        init(count: Int, of policy: BufferingPolicy, isRead: Bool) {
            let limit = policy.limit
            let isFull = limit > 0 && limit < .max && count >= max(1, limit / 2)
            self = !isFull ? .none : isRead ? .read : .unread
        }
    }

    private let state = Locked(State())

    /// Creates a control that no buffer holds.
    package init() {}

    /// Whether the source may continue.
    package var isClear: Bool { state.withLock { $0.isClear } }

    /// Waits until the source may continue; may return early, for example on cancellation.
    package func waitUntilClear() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mayContinue = state.withLock { state in
                    if state.isClear || Task.isCancelled { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if mayContinue { waiter.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    /// Resumes all waiting tasks, so that they check `isClear` again.
    package func wake() {
        for waiter in state.withLock({ $0.removeWaiters() }) { waiter.resume() }
    }

    /// Ignores streams that no loop reads, until all of them have room again.
    package func ignoreUnread() {
        state.withLock { $0.ignoresUnread = $0.unread > 0 }
        wake()
    }

    /// Holds or releases the source for a buffer that is read.
    package func setFull(_ isFull: Bool) {
        change(from: isFull ? .none : .read, to: isFull ? .read : .none)
    }

    /// Replaces the effect of one buffer.
    package func change(from old: Hold, to new: Hold) {
        guard old != new else { return }
        let waiters = state.withLock { state in
            state.read += (new == .read ? 1 : 0) - (old == .read ? 1 : 0)
            state.unread += (new == .unread ? 1 : 0) - (old == .unread ? 1 : 0)
            if state.unread <= 0 { state.ignoresUnread = false }
            return state.isClear ? state.removeWaiters() : []
        }
        for waiter in waiters { waiter.resume() }
    }
}
