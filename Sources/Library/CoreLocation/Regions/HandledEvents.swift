// SPDX-License-Identifier: MIT
import Delegation
import Synchronization

extension CLMonitor {
    /// An event and the one that it replaces in the record of its condition.
    struct Transition: Sendable {
        let event: Event
        let previousEvent: Event
        /// The serial number of the condition.
        let addition: Int
    }

    /// The events that loops have received. A loop handles an event until it requests the next one
    /// or ends.
    final class HandledEvents: Sendable {
        private let transitions = Mutex<[ObjectIdentifier: Transition]>([:])

        /// Returns the event before the one that a loop handles; `nil` if no loop handles an event
        /// of the condition.
        func previousEvent(ofAddition addition: Int) -> Event? {
            transitions.withLock { transitions in
                transitions.values.first { $0.addition == addition }?.previousEvent
            }
        }

        fileprivate func set(_ transition: Transition?, of loop: AnyObject) {
            transitions.withLock { $0[ObjectIdentifier(loop)] = transition }
        }
    }

    /// The iterator of a loop over a monitor's events.
    struct EventIterator: AsyncIteratorProtocol {
        /// Represents the iterator and its copies, and is released with the last one.
        private final class Loop: Sendable {
            private let handledEvents: HandledEvents

            init(_ handledEvents: HandledEvents) { self.handledEvents = handledEvents }

            deinit { handledEvents.set(nil, of: self) }

            func handle(_ transition: Transition?) { handledEvents.set(transition, of: self) }
        }

        private var base: EventStream<Transition>.Iterator
        private let loop: Loop

        init(_ base: EventStream<Transition>.Iterator, handledEvents: HandledEvents) {
            self.base = base
            loop = Loop(handledEvents)
        }

        mutating func next() async -> Event? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
            loop.handle(nil)
            let transition = await base.next(isolation: actor)
            loop.handle(transition)
            return transition?.event
        }
    }
}
