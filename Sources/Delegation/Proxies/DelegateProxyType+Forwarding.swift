// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Makes `delegate` the host's delegate until the returned subscription is disposed. Observers
    /// stay attached.
    ///
    /// If there is already a delegate, keeps it and throws
    /// `DelegationError.Code.delegateAlreadySet`. Also throws the errors of `installedProxy(for:)`.
    /// Disposing the subscription does not remove a delegate that has been set later.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// The same as `installForwardDelegate`, with a delegate that is held weakly.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }
}
