// SPDX-License-Identifier: MIT

/// The factories of proxies: one for each combination of host class, delegate type and slot.
enum ProxyFactories {
    struct Key: Hashable, Sendable {
        let host: ObjectIdentifier
        let proxy: ProxyKey
    }

    // Held while `registerKnownImplementations()` runs, so that no thread uses a factory with only
    // some of its registrations. It is recursive, because a registration looks up the factory.
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

/// Creates the proxy that is registered for a host's class or its nearest superclass.
final class ProxyFactory<Host: AnyObject, Delegate>: Sendable {
    typealias Base = DelegateProxy<Host, Delegate>
    typealias Make = @Sendable (Base) -> any DelegateProxyType<Host, Delegate>

    private let makers = Locked<[ObjectIdentifier: Make]>([:])

    /// Registers a closure that creates proxies for a class and its subclasses. Returns `false` if
    /// the class already has a closure.
    func register(_ hostClass: AnyClass, _ make: @escaping Make) -> Bool {
        makers.withLock { makers in
            let id = ObjectIdentifier(hostClass)
            guard makers[id] == nil else { return false }
            makers[id] = make
            return true
        }
    }

    /// Returns the closure registered for the host's class or its nearest superclass; `nil` if
    /// there is none.
    func maker(for host: Host) -> Make? {
        let makers = makers.withLock { $0 }
        var hostClass: AnyClass? = type(of: host)
        while let current = hostClass {
            if let make = makers[ObjectIdentifier(current)] { return make }
            hostClass = _getSuperclass(current)
        }
        return nil
    }
}
