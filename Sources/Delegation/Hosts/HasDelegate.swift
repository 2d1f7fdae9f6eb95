// SPDX-License-Identifier: MIT

/// A class with a `delegate` property; its proxies put themselves there.
public protocol HasDelegate: AnyObject {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object that is called, usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasDelegate, Host.Delegate == Delegate {
    /// The host's delegate.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegate
    }

    /// Assigns the host's delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegate = delegate
    }
}

/// A `@MainActor` class with a `delegate` property; its proxies put themselves there.
///
/// Its proxy has to be asked for on the main actor the first time: elsewhere `proxy(for:)` stops
/// the program.
@MainActor
public protocol HasMainActorDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object that is called, usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasMainActorDelegate, Host.Delegate == Delegate {
    /// The host's delegate.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate stays on this thread, which is the main actor's.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = host.delegate }
        return delegate
    }

    /// Assigns the host's delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate stays on this thread, which is the main actor's.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { host.delegate = delegate }
    }
}
