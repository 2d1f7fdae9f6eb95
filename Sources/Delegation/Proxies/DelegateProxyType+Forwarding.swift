// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Makes `delegate` the host's delegate until the subscription is disposed; observers stay attached.
    ///
    /// Throws the errors of `installedProxy(for:)`, and `DelegationError.Code.delegateAlreadySet` if
    /// there is a delegate, which stays. Disposing removes the delegate only if it has not been
    /// replaced.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// Makes `delegate` the host's delegate, held weakly; see `installForwardDelegate`.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }
}
