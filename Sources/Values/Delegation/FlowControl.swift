// SPDX-License-Identifier: MIT

/// Pauses a source that can wait, such as a file, while a consumer's buffer is at least half full.
///
/// Each stream and each delivery queue has a buffer. The buffer of a stream that no loop reads
/// pauses the source only until `ignoreUnread()` is called.
@usableFromInline
package final class FlowControl: Sendable {
    private struct State {
        /// The number of buffers with too little free space that are read by a loop.
        var read = 0
        /// The number of buffers with too little free space that are not read by a loop.
        var unread = 0
        /// Whether buffers that are not read by a loop are ignored, so that they do not pause the
        /// source.
        var ignoresUnread = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isClear: Bool { read <= 0 && (unread <= 0 || ignoresUnread) }

        mutating func removeWaiters() -> [CheckedContinuation<Void, Never>] {
            exchange(&waiters, with: [])
        }
    }

    /// The effect of one buffer on the source.
    package enum Hold: Sendable {
        /// The buffer has enough free space, so it does not pause the source.
        case none
        /// No loop reads the buffer. While it is at least half full, the source is paused, unless
        /// `ignoreUnread()` is called.
        case unread
        /// A loop reads the buffer. While it is at least half full, the source is paused.
        case read

        /// Determines the effect of a buffer with `count` values. A buffer without a limit or with
        /// the limit 0 never pauses the source.
        init(count: Int, of policy: BufferingPolicy, isRead: Bool) {
            let limit = policy.limit
            let isFull = limit > 0 && limit < .max && count >= max(1, limit / 2)
            self = !isFull ? .none : isRead ? .read : .unread
        }
    }

    private let state = Locked(State())

    /// Creates a flow control that does not pause its source.
    package init() {}

    /// Whether the source may continue.
    package var isClear: Bool { state.withLock { $0.isClear } }

    /// Waits until the source may continue. May return earlier, for example on cancellation, so
    /// check `isClear` afterwards.
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

    /// Lets the source continue despite the full buffers of streams that no loop reads. This lasts
    /// until all these buffers have free space again.
    package func ignoreUnread() {
        state.withLock { $0.ignoresUnread = $0.unread > 0 }
        wake()
    }

    /// Pauses the source for a full buffer, or ends this pause. Call it only when the buffer has
    /// become full or is no longer full.
    package func setFull(_ isFull: Bool) {
        change(from: isFull ? .none : .read, to: isFull ? .read : .none)
    }

    /// Changes the effect of one buffer on the source. Resumes the source if no buffer pauses it
    /// any longer.
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
