// SPDX-License-Identifier: MIT

/// A subscription that lasts as long as somebody holds it.
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
