// SPDX-License-Identifier: MIT

/// A class that stores its own proxies.
///
/// Their events complete when the host is deallocated. The proxies of other classes are stored in a
/// table, and their events complete when `ProxyStorage.sweep()` finds that the host is gone.
public protocol DelegateProxyHost: AnyObject {
    /// The storage of this object's proxies: a `let` that no other object uses.
    var proxyStorage: ProxyStorage { get }

    /// Called with the new set when the methods that are observed or wanted by a delegate change.
    ///
    /// Calls for one slot don't overlap, may come on any thread, and the last one has the final set.
    /// Use `interests` rather than the proxy's set, which may have changed again. Default: does nothing.
    func delegateInterestsDidChange(to interests: UInt64, slot: String)
}

extension DelegateProxyHost {
    /// Does nothing.
    public func delegateInterestsDidChange(to interests: UInt64, slot: String) {}
}
