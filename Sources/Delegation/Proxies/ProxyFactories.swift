// SPDX-License-Identifier: MIT

/// One factory for each combination of host class, delegate type and slot.
enum ProxyFactories {
    struct Key: Hashable, Sendable {
        let host: ObjectIdentifier
        let proxy: ProxyKey
    }

    // Held until the built-in registrations are done, so that no thread sees only some of them.
    // Recursive, because the registrations use the factories.
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

/// Creates the proxy registered for a host's class or its nearest superclass.
final class ProxyFactory<Host: AnyObject, Delegate>: Sendable {
    typealias Base = DelegateProxy<Host, Delegate>
    typealias Make = @Sendable (Base) -> any DelegateProxyType<Host, Delegate>

    private let makers = Locked<[ObjectIdentifier: Make]>([:])

    /// Registers a closure for a class and its subclasses; returns `false` if the class has one.
    func register(_ hostClass: AnyClass, _ make: @escaping Make) -> Bool {
        makers.withLock { makers in
            let id = ObjectIdentifier(hostClass)
            guard makers[id] == nil else { return false }
            makers[id] = make
            return true
        }
    }

    /// Returns the closure of the host's class or of its nearest superclass that has one.
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
