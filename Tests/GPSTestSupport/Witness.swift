// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// Records events in order and lets a test wait for them.
package final class Witness<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// Creates a witness without events.
    package init() {}

    /// All events so far.
    package var all: [Element] { state.withLock { $0.elements } }

    /// Records an event.
    package func note(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.waiters.filter { $0.value.count <= count }
            for waiter in ready.keys { state.waiters[waiter] = nil }
            return ready.map(\.value.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits for an event that satisfies a condition, checking each event once.
    package func wait(for isIt: (Element) -> Bool) async {
        var seen = 0
        while !Task.isCancelled {
            let elements = await first(seen + 1)
            if elements.dropFirst(seen).contains(where: isIt) { return }
            seen = elements.count
        }
    }

    /// Waits for the first `count` events; returns fewer if the task is cancelled.
    package func first(_ count: Int) async -> [Element] {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard state.elements.count < count, !Task.isCancelled else { return true }
                    state.waiters[waiter] = (count, continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation.resume()
        }
        return Array(all.prefix(count))
    }
}

/// Blocks threads until it is opened.
package final class Gate: Sendable {
    private let ends: (read: CInt, write: CInt)

    /// Creates a closed gate.
    package init() {
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        open()
        close(ends.read)
        close(ends.write)
    }

    /// Waits until the gate is open.
    package func pass() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }

    /// Opens the gate for all present and future threads.
    package func open() {
        shutdown(ends.write, CInt(SHUT_WR))
    }
}
