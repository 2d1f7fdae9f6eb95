// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Registers what makes the proxy of a host, for a class of hosts and its subclasses.
    ///
    /// May be called at any time; hosts that have their proxy keep it. Registering a class twice is
    /// a programming error and stops the program.
    public static func register(
        for hostClass: Host.Type = Host.self,
        _ make: @escaping @Sendable (DelegateProxy<Host, Delegate>) -> Self
    ) {
        let isNew = ProxyFactories.factory(for: Self.self).register(hostClass) { make($0) }
        precondition(isNew, "\(hostClass) has a proxy registered already")
    }

    /// Makes a proxy for `host` that is neither kept nor installed; what `proxy(for:)` does first.
    ///
    /// Throws `DelegationError.Code.noFactory` when none is registered for the host's class.
    static func makeProxy(
        for host: Host, in entry: ProxyEntry
    ) throws(DelegationError) -> any DelegateProxyType<Host, Delegate> {
        guard let make = ProxyFactories.factory(for: Self.self).maker(for: host) else {
            throw DelegationError(.noFactory, "\(type(of: host as AnyObject)) for \(Self.self)")
        }
        // Safety: the host is only notified of a change, which may happen on any thread.
        nonisolated(unsafe) weak let owner = host as? any DelegateProxyHost
        return make(
            DelegateProxy(
                host: host, interestsOfDelegate: { interests(of: $0) },
                onInterestsChange: { owner?.delegateInterestsDidChange(to: $0, slot: slot) },
                onEdge: { [weak entry] in entry?.installed?.reassign?() }))
    }
}
