// SPDX-License-Identifier: MIT

/// An attached observer or delegate; `dispose()` detaches it.
///
/// Releasing the subscription doesn't detach it. Use `scoped` for a subscription that ends with its
/// last reference.
public final class Subscription: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>
    private let drops: DropCounter?

    /// Creates a subscription that runs `action` when it is disposed.
    public convenience init(_ action: @escaping @Sendable () -> Void) {
        self.init(countingDropsIn: nil, action)
    }

    /// Creates a subscription whose `droppedCount` is the count of `drops`.
    init(countingDropsIn drops: DropCounter?, _ action: (@Sendable () -> Void)?) {
        self.action = Locked(action)
        self.drops = drops
    }

    /// Creates a subscription that has already ended.
    public convenience init() {
        self.init(countingDropsIn: nil, nil)
    }

    /// The number of values dropped because the observer was too slow; zero for an observer that
    /// is called on the sender's thread.
    public var droppedCount: Int { drops?.count ?? 0 }

    /// Whether `dispose()` has been called.
    public var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Detaches the observer; calls after the first do nothing.
    ///
    /// After it returns, no further call begins on this thread. A call that another thread has
    /// begun may still be running.
    public func dispose() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// A subscription that disposes this one when its last reference is released.
    public var scoped: ScopedSubscription { ScopedSubscription(self) }
}

/// A subscription that ends when its last reference is released.
public final class ScopedSubscription: Sendable {
    private let subscription: Subscription

    /// Creates a scope that disposes `subscription` when it is deallocated.
    public init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    deinit {
        subscription.dispose()
    }

    /// Detaches the observer at once; calls after the first do nothing.
    public func dispose() {
        subscription.dispose()
    }
}
