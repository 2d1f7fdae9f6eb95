// SPDX-License-Identifier: MIT

/// A class that keeps its own proxies.
///
/// Their events complete when the host is deallocated. Proxies of other classes are kept in a
/// table, and theirs complete at the next sweep of it.
public protocol DelegateProxyHost: AnyObject {
    /// Where this object's proxies are kept: a `let` that nobody else holds.
    var proxyStorage: ProxyStorage { get }

    /// Tells that the union of what is observed and what the user's delegate wants has changed.
    ///
    /// Calls don't overlap and may come on any thread. Does nothing unless implemented.
    func delegateInterestsDidChange()
}

extension DelegateProxyHost {
    /// Does nothing.
    public func delegateInterestsDidChange() {}
}
