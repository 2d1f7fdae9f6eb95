// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Makes `delegate` the host's delegate beside all observers, until the subscription is disposed.
    ///
    /// Throws `DelegationError` with `delegateAlreadySet` when the user has set one, which stays, and
    /// what `installedProxy(for:)` throws. Disposing takes away only what this call has installed.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// Makes `delegate` the host's delegate, held weakly; otherwise as `installForwardDelegate`.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }
}
