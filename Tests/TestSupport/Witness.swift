// SPDX-License-Identifier: MIT
import Synchronization

/// Notes what happens, in order, and lets a test wait for it.
package final class Witness<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Makes a witness of nothing.
    package init() {}

    /// Everything so far.
    package var all: [Element] { state.withLock { $0.elements } }

    /// Notes one more.
    package func note(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// The first `count`, once there are as many.
    package func first(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.elements.count < count else { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return Array(all.prefix(count))
    }
}
