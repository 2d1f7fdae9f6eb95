// SPDX-License-Identifier: MIT

/// Which proxy to make for a host, by the host's class.
final class ProxyFactory<Host: AnyObject, Delegate>: Sendable {
    typealias Base = DelegateProxy<Host, Delegate>
    typealias Make = @Sendable (Base) -> any DelegateProxyType<Host, Delegate>

    private let makers = Locked<[ObjectIdentifier: Make]>([:])

    /// Registers a maker for a class and its subclasses; returns false if the class has one.
    func register(_ hostClass: AnyClass, _ make: @escaping Make) -> Bool {
        makers.withLock { makers in
            let id = ObjectIdentifier(hostClass)
            guard makers[id] == nil else { return false }
            makers[id] = make
            return true
        }
    }

    /// The maker of the host's class or of its nearest ancestor that has one.
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
