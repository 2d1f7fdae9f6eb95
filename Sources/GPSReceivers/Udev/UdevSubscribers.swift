// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// The kinds of udev events, for code that waits for a receiver. A subscriber of an event is also
/// signalled at greater events.
enum UdevEvent: Comparable {
    /// A tty appeared or disappeared.
    case change
    /// A tty of a USB device can be opened now, after udev's "add" event or a "change" event.
    case ready
}

/// The subscribers of a udev monitor.
final class UdevSubscribers: Sendable {
    private struct Subscriber {
        let wakeUp: WakeUp
        let event: UdevEvent
    }

    private struct State {
        var subscribers: [UInt64: Subscriber] = [:]
        var lastToken: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Adds a subscriber. `wakeUp` is signalled at `event` and greater events. Returns a token for
    /// `remove(_:)`.
    func add(_ wakeUp: WakeUp, for event: UdevEvent) -> UInt64 {
        state.withLock { state in
            state.lastToken &+= 1
            state.subscribers[state.lastToken] = Subscriber(wakeUp: wakeUp, event: event)
            return state.lastToken
        }
    }

    /// Removes a subscriber.
    func remove(_ token: UInt64) {
        let removed = state.withLock { $0.subscribers.removeValue(forKey: token) }
        withExtendedLifetime(removed) {}
    }

    /// Signals every subscriber of `event` or of a lesser event.
    func notify(of event: UdevEvent) {
        let subscribers = state.withLock { $0.subscribers }
        for subscriber in subscribers.values where subscriber.event <= event {
            subscriber.wakeUp.signal()
        }
    }
}
