// SPDX-License-Identifier: MIT

/// A class with a delegate (a host) that stores its own proxies.
///
/// The proxies' events complete when the host is deallocated. The proxies of other classes are
/// stored in a global table. Their events complete when `ProxyStorage.sweep()` finds that the host
/// has been deallocated.
///
/// The conformance is nonisolated. Therefore, a class that declares it, or `HasRoutedDelegate`, is
/// `nonisolated` even in a module whose default isolation is the main actor. Exceptions are classes
/// that are `@MainActor`, or adopt `HasMainActorDelegate` or `HasMainActorMulticastDelegate`.
public protocol DelegateProxyHost: AnyObject, SendableMetatype {
    /// The storage of this object's proxies. Declare it as a `let` that no other object uses.
    var proxyStorage: ProxyStorage { get }

    /// Called when the host's interests have changed: the set of delegate methods that are observed
    /// or that a delegate implements. Default: does nothing.
    ///
    /// `slot` is the `slot` of the proxy type. Calls for one slot do not overlap and may arrive on
    /// any thread. The last call has the final set. Use `interests` rather than the property of the
    /// proxy, which may have changed again.
    func delegateInterestsDidChange(to interests: UInt64, slot: String)
}

extension DelegateProxyHost {
    /// Does nothing.
    public func delegateInterestsDidChange(to interests: UInt64, slot: String) {}
}
