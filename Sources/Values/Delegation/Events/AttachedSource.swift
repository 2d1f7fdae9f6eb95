// SPDX-License-Identifier: MIT

// Sources that are not events of this module: each observer is attached by a closure.

extension EventRoute {
    /// Creates a source of your own, as RxSwift's `Observable.create` does: a callback, a target of a
    /// control, a notification.
    ///
    ///     let ticks = EventRoute<Int> { event in
    ///         let id = clock.addCallback { event.send($0) }
    ///         return { clock.removeCallback(id) }
    ///     }
    ///
    /// `attach` is called for each observer and each stream, on the thread that subscribes. It
    /// receives an event of this observer alone, and may send values to it at once. It returns the
    /// closure that detaches the observer, which is called once: when the subscription is disposed
    /// or the event completes. Until then, the closure is retained. The observer completes when
    /// `complete()` is called, or when the last reference to the event is released.
    public init(
        attach: @escaping @Sendable (_ event: Event<Payload>) -> @Sendable () -> Void
    ) {
        self.init { onValue, onCompletion in
            let attachment = Attachment(onValue, onCompletion)
            attachment.keep(attach(attachment.event))
            return attachment.subscription
        }
    }

    /// Creates a source of the values of an object that is held weakly. Observers complete when the
    /// object has been deallocated.
    init<Owner: AnyObject>(
        of owner: Owner, on executor: any CallbackExecutor,
        attach: @escaping @Sendable (Owner, Event<Payload>) -> @Sendable (Owner) -> Void
    ) {
        let owner = WeakObject(owner)
        self.init(executor: executor) { onValue, onCompletion in
            guard let object = owner.object else {
                onCompletion()
                return Subscription()
            }
            let attachment = Attachment(onValue, onCompletion, of: object)
            let detach = attach(object, attachment.event)
            attachment.keep { if let object = owner.object { detach(object) } }
            return attachment.subscription
        }
    }

    /// Creates a source of the values of an object of the main actor, where observers are attached
    /// and detached.
    init<Owner: AnyObject>(
        of owner: Owner, on executor: MainExecutor,
        attach:
            @escaping @MainActor @Sendable (Owner, Event<Payload>) ->
            @MainActor @Sendable (Owner)
            -> Void
    ) {
        let owner = WeakObject(owner)
        self.init(executor: executor) { onValue, onCompletion in
            guard let object = owner.object else {
                onCompletion()
                return Subscription()
            }
            let attachment = Attachment(onValue, onCompletion, of: object)
            // Until the main queue runs the closure, the closure keeps the event alive.
            MainQueue.perform { [event = attachment.event] in
                guard !attachment.hasEnded else { return }
                // Safety: `perform` runs both closures on the main queue, which is the main actor's.
                MainActor.assumeIsolated {
                    guard let object = owner.object else { return }
                    let detach = attach(object, event)
                    attachment.keep {
                        MainQueue.perform {
                            MainActor.assumeIsolated {
                                if let object = owner.object { detach(object) }
                            }
                        }
                    }
                }
            }
            return attachment.subscription
        }
    }
}

/// One observer of a source, its own event, and the closure that detaches it.
///
/// The source usually retains the event, and the event retains the closure until it ends.
private struct Attachment<Payload: Sendable>: Sendable {
    private enum State {
        case attaching
        case attached(@Sendable () -> Void)
        case ended
    }

    /// Shared with the event, which must not retain itself.
    private final class Detacher: Sendable {
        private let state = Locked(State.attaching)

        var hasEnded: Bool {
            state.withLock { if case .ended = $0 { true } else { false } }
        }

        func keep(_ detach: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                if case .ended = state { return true }
                state = .attached(detach)
                return false
            }
            if isLate { detach() }
        }

        func end() {
            if case .attached(let detach) = state.exchange(.ended) { detach() }
        }
    }

    let event: Event<Payload>
    let subscription: Subscription
    private let detacher: Detacher

    /// Attaches an observer to an event of its own. If the source has an owner, the event completes
    /// when the owner has been deallocated.
    init(
        _ onValue: @escaping @Sendable (Payload) -> Void,
        _ onCompletion: @escaping @Sendable () -> Void, of owner: AnyObject? = nil
    ) {
        let detacher = Detacher()
        let storage = owner.map { WeakObject(ProxyStorage.of($0)) }
        let id = ObjectIdentifier(detacher)
        event = Event(flow: nil) { event in
            guard !event.hasObservers else { return }
            storage?.object?.whenReleased(id, nil)
            detacher.end()
        }
        self.detacher = detacher
        storage?.object?.whenReleased(id) { [weak event] in event?.complete() }
        subscription = event.observe(onValue, onCompletion: onCompletion)
    }

    var hasEnded: Bool { detacher.hasEnded }

    /// Retains `detach` until the observer is disposed or has completed. Calls it if that has already
    /// happened.
    func keep(_ detach: @escaping @Sendable () -> Void) { detacher.keep(detach) }
}
