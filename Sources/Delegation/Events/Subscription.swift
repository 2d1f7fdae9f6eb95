// SPDX-License-Identifier: MIT

/// A token for something attached: `dispose()` detaches it.
///
/// Dropping the token detaches nothing; `scoped` is the form that ends with its last reference.
public final class Subscription: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>
    private let drops: DropCounter?

    /// Creates a token that runs `action` when it is disposed.
    public convenience init(_ action: @escaping @Sendable () -> Void) {
        self.init(countingDropsIn: nil, action)
    }

    /// Creates a token whose `droppedCount` is that of `drops`.
    init(countingDropsIn drops: DropCounter?, _ action: (@Sendable () -> Void)?) {
        self.action = Locked(action)
        self.drops = drops
    }

    /// Creates a token of something that is over already.
    public convenience init() {
        self.init(countingDropsIn: nil, nil)
    }

    /// How many values were dropped because the observer lagged; zero for an observer that is
    /// called on the sender's thread.
    public var droppedCount: Int { drops?.count ?? 0 }

    /// Whether `dispose()` has been called.
    public var isDisposed: Bool { action.withLock { $0 == nil } }

    /// Detaches the observer; calls after the first do nothing.
    ///
    /// When this returns, no further call starts on this thread. A call that another thread has
    /// begun may still be finishing.
    public func dispose() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// A token that disposes this subscription when its last reference goes away.
    public var scoped: ScopedSubscription { ScopedSubscription(self) }
}

/// A subscription that ends with its last reference.
public final class ScopedSubscription: Sendable {
    private let subscription: Subscription

    /// Takes over `subscription`, which is disposed on deallocation at the latest.
    public init(_ subscription: Subscription) {
        self.subscription = subscription
    }

    deinit {
        subscription.dispose()
    }

    /// Detaches the observer before the scope ends; calls after the first do nothing.
    public func dispose() {
        subscription.dispose()
    }
}
