// SPDX-License-Identifier: MIT

/// The handle of an attached observer or delegate. `dispose()` detaches the observer or delegate.
///
/// The observer or delegate stays attached when the subscription is released. To detach it when the
/// last reference is released, use `scoped`.
public final class Subscription: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>
    private let drops: DropCounter?

    /// Creates a subscription that runs `action` when it is disposed.
    public convenience init(_ action: @escaping @Sendable () -> Void) {
        self.init(countingDropsIn: nil, action)
    }

    /// Creates a subscription that runs `action` when it is disposed. Its `droppedCount` is read
    /// from `drops`.
    init(countingDropsIn drops: DropCounter?, _ action: (@Sendable () -> Void)?) {
        self.action = Locked(action)
        self.drops = drops
    }

    /// Creates a subscription that is already disposed.
    public convenience init() {
        self.init(countingDropsIn: nil, nil)
    }

    /// Sets the action of a subscription that was created without one.
    func setAction(_ action: @escaping @Sendable () -> Void) {
        _ = self.action.exchange(action)
    }

    /// Returns a closure that calls `onCompletion`, and then releases the action without running it.
    /// Otherwise, the action would retain the observer as long as the subscription is kept.
    func releasingAction(
        after onCompletion: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        { [weak self] in
            onCompletion()
            self?.releaseAction()
        }
    }

    /// Releases the action without running it, because the observer has received the completion.
    func releaseAction() {
        let old = action.withLock { action -> (@Sendable () -> Void)? in
            action == nil ? nil : exchange(&action, with: {})
        }
        withExtendedLifetime(old) {}
    }

    /// The number of values dropped because the observer was too slow. Always 0 for an observer
    /// that is called on the sender's thread.
    public var droppedCount: Int { drops?.count ?? 0 }

    /// Whether `dispose()` has been called.
    public var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Detaches the observer or delegate. Disposing again has no effect.
    ///
    /// Afterwards, it is not called on this thread again. A call that has begun on another thread
    /// may still be running.
    public func dispose() {
        action.exchange(nil)?()
    }

    /// An object that disposes this subscription when the last reference to the object is released.
    public var scoped: ScopedSubscription { ScopedSubscription(self) }
}

/// Disposes a subscription when the last reference to this object is released.
public final class ScopedSubscription: Sendable {
    private let subscription: Subscription

    /// Creates an object that disposes `subscription` when it is deallocated.
    public init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    deinit {
        subscription.dispose()
    }

    /// Disposes the subscription immediately. Disposing again has no effect.
    public func dispose() {
        subscription.dispose()
    }
}
