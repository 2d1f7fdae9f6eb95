// SPDX-License-Identifier: MIT

/// A class whose delegates are added and removed; its proxies are added as one more.
///
/// The delegates that are there stay there, and each sees each call once.
public protocol HasMulticastDelegate: AnyObject {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// Adds a delegate.
    func addDelegate(_ delegate: Delegate)
    /// Removes a delegate.
    func removeDelegate(_ delegate: Delegate)
}

extension DelegateProxyType where Host: HasMulticastDelegate, Host.Delegate == Delegate {
    /// What this proxy type has added to the host.
    public static func currentDelegate(for host: Host) -> Delegate? {
        ProxyStorage.of(host).entry(for: key).registered as? Delegate
    }

    /// Adds `delegate` in place of what this proxy type added before.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        let entry = ProxyStorage.of(host).entry(for: key)
        if let old = entry.registered as? Delegate { host.removeDelegate(old) }
        entry.registered = delegate.map { $0 as AnyObject }
        if let delegate { host.addDelegate(delegate) }
    }
}
