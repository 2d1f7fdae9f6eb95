// SPDX-License-Identifier: MIT

/// One factory for each combination of host class, delegate type and slot.
enum ProxyFactories {
    struct Key: Hashable, Sendable {
        let host: ObjectIdentifier
        let proxy: ProxyKey
    }

    // Held until the built-in registrations are done, so that nobody sees half of them; recursive,
    // because they come back here.
    private static let lock = RecursiveLock()
    private static let factories = Locked<[Key: any AnyObject & Sendable]>([:])

    static func factory<Proxy: DelegateProxyType>(
        for proxy: Proxy.Type
    ) -> ProxyFactory<Proxy.Host, Proxy.Delegate> {
        typealias Factory = ProxyFactory<Proxy.Host, Proxy.Delegate>
        let key = Key(host: ObjectIdentifier(Proxy.Host.self), proxy: Proxy.key)
        return lock.withLock {
            if let factory = factories.withLock({ $0[key] }) as? Factory { return factory }
            let factory = Factory()
            factories.withLock { $0[key] = factory }
            Proxy.registerKnownImplementations()
            return factory
        }
    }
}
