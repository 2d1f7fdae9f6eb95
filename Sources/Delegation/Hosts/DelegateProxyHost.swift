// SPDX-License-Identifier: MIT

/// A class that keeps its own proxies.
///
/// Their events complete when the host is deallocated. Proxies of other classes are kept in a
/// table, and theirs complete at the next sweep of it.
public protocol DelegateProxyHost: AnyObject {
    /// Where this object's proxies are kept: a `let` that is not shared.
    var proxyStorage: ProxyStorage { get }

    /// Called with the union of what is observed and what the user's delegate wants, when it has
    /// changed.
    ///
    /// Calls for one slot don't overlap, may come on any thread, and the last one has the final
    /// state: go by `interests`, not by what the proxy says a moment later. Does nothing unless
    /// implemented.
    func delegateInterestsDidChange(to interests: UInt64, slot: String)
}

extension DelegateProxyHost {
    /// Does nothing.
    public func delegateInterestsDidChange(to interests: UInt64, slot: String) {}
}
