// SPDX-License-Identifier: MIT

/// A class with a `delegate` property, to which its proxies assign themselves.
public protocol HasDelegate: AnyObject {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object that the host calls, usually held weakly.
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

/// A `@MainActor` class with a `delegate` property, to which its proxies assign themselves.
///
/// Call `proxy(for:)` on the main actor the first time; on another thread it stops the program.
@MainActor
public protocol HasMainActorDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object that the host calls, usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasMainActorDelegate, Host.Delegate == Delegate {
    /// The host's delegate.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate stays on this thread, the main actor's.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = host.delegate }
        return delegate
    }

    /// Assigns the host's delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate stays on this thread, the main actor's.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { host.delegate = delegate }
    }
}
