// SPDX-License-Identifier: MIT
import Synchronization

/// What an event of udev means to those who wait for receivers; the greater includes the lesser.
enum UdevNews: Comparable {
    /// A tty came or went.
    case change
    /// A tty of a USB device may be opened now: "add", or a "change" of what is there.
    case appearance
}

/// Whom a monitor tells.
final class UdevListeners: Sendable {
    private struct Listener {
        let bell: Bell
        let news: UdevNews
    }

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var nextToken: UInt64 = 0
    }

    private let state = Mutex(State())

    func add(_ bell: Bell, for news: UdevNews) -> UInt64 {
        state.withLock { state in
            state.nextToken &+= 1
            state.listeners[state.nextToken] = Listener(bell: bell, news: news)
            return state.nextToken
        }
    }

    func remove(_ token: UInt64) {
        _ = state.withLock { $0.listeners.removeValue(forKey: token) }
    }

    func tell(_ news: UdevNews?) {
        guard let news else { return }
        state.withLock { state in
            for listener in state.listeners.values where listener.news <= news {
                listener.bell.ring()
            }
        }
    }
}
