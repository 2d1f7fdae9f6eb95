// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Registers a closure that creates proxies for a host class and its subclasses.
    ///
    /// It may be called at any time. Existing proxies are kept. Registering a class twice stops the
    /// program.
    public static func register(
        for hostClass: Host.Type = Host.self,
        _ make: @escaping @Sendable (DelegateProxy<Host, Delegate>) -> Self
    ) {
        let isNew = ProxyFactories.factory(for: Self.self).register(hostClass) { make($0) }
        precondition(isNew, "\(hostClass) already has a registered proxy")
    }

    /// Creates a proxy for `host` without storing or installing it.
    ///
    /// Throws `DelegationError.Code.noFactory` if no proxy is registered for the host's class.
    static func makeProxy(
        for host: Host, in entry: ProxyEntry
    ) throws(DelegationError) -> any DelegateProxyType<Host, Delegate> {
        guard let make = ProxyFactories.factory(for: Self.self).maker(for: host) else {
            throw DelegationError(.noFactory, "\(type(of: host as AnyObject)) for \(Self.self)")
        }
        // Safety: `owner` is only used to call `delegateInterestsDidChange`, which is allowed on
        // any thread.
        nonisolated(unsafe) weak let owner = host as? any DelegateProxyHost
        return make(
            DelegateProxy(
                host: host, interestsOfDelegate: { interests(of: $0) },
                onInterestsChange: { owner?.delegateInterestsDidChange(to: $0, slot: slot) },
                onRefresh: { [weak entry] in entry?.installed?.reassign?() }))
    }
}
