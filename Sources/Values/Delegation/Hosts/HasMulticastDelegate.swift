// SPDX-License-Identifier: MIT

/// A class with several delegates, to which a proxy adds itself as a further delegate.
///
/// The other delegates stay registered and receive each call once. The conformance is nonisolated,
/// even in a module whose default isolation is the main actor.
public protocol HasMulticastDelegate: AnyObject, SendableMetatype {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// Adds a delegate.
    func addDelegate(_ delegate: Delegate)
    /// Removes a delegate.
    func removeDelegate(_ delegate: Delegate)
}

extension DelegateProxyType where Host: HasMulticastDelegate, Host.Delegate == Delegate {
    /// Returns the delegate that this proxy type has added to the host; `nil` if it has added none.
    public static func currentDelegate(for host: Host) -> Delegate? {
        ProxyStorage.of(host).entry(for: key).addedDelegate as? Delegate
    }

    /// Adds `delegate` to the host, and removes the delegate that this proxy type added before.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        let entry = ProxyStorage.of(host).entry(for: key)
        if let old = entry.addedDelegate as? Delegate { host.removeDelegate(old) }
        entry.addedDelegate = delegate.map { $0 as AnyObject }
        if let delegate { host.addDelegate(delegate) }
    }
}

/// A `@MainActor` class with several delegates, to which a proxy adds itself as a further delegate.
///
/// Call `proxy(for:)` only on the main actor. On another thread, adding the proxy stops the program.
@MainActor
public protocol HasMainActorMulticastDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// Adds a delegate.
    func addDelegate(_ delegate: Delegate)
    /// Removes a delegate.
    func removeDelegate(_ delegate: Delegate)
}

extension DelegateProxyType where Host: HasMainActorMulticastDelegate, Host.Delegate == Delegate {
    /// Returns the delegate that this proxy type has added to the host; `nil` if it has added none.
    public static func currentDelegate(for host: Host) -> Delegate? {
        ProxyStorage.of(host).entry(for: key).addedDelegate as? Delegate
    }

    /// Adds `delegate` to the host, and removes the delegate that this proxy type added before.
    /// Stops the program if it is not called on the main actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        let entry = ProxyStorage.of(host).entry(for: key)
        // Safety: the delegates are used only on the main actor's thread.
        nonisolated(unsafe) let old = entry.addedDelegate as? Delegate
        nonisolated(unsafe) let new = delegate
        entry.addedDelegate = delegate.map { $0 as AnyObject }
        MainActor.assumeIsolated {
            if let old { host.removeDelegate(old) }
            if let new { host.addDelegate(new) }
        }
    }
}
