// SPDX-License-Identifier: MIT

/// A class with a `delegate` property, to which a proxy assigns itself.
///
/// A class of another module adopts it in an extension:
///
///     extension Picker: @retroactive HasDelegate {}
///
/// The conformance is nonisolated, even in a module whose default isolation is the main actor. If
/// the class retains its delegate, the proxy type must return `true` for `retainsPreviousDelegate`.
public protocol HasDelegate: AnyObject, SendableMetatype {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object whose delegate methods the class calls. It is usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasDelegate, Host.Delegate == Delegate {
    /// Returns the host's `delegate`.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegate
    }

    /// Assigns the host's `delegate`.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegate = delegate
    }
}

/// A `@MainActor` class with a `delegate` property, to which a proxy assigns itself.
///
/// Call `proxy(for:)` and `isInstalled` only on the main actor. On another thread, they stop the
/// program. A proxy that is reassigned when its interests change is reassigned on the main queue.
@MainActor
public protocol HasMainActorDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object whose delegate methods the class calls. It is usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasMainActorDelegate, Host.Delegate == Delegate {
    /// Returns the host's `delegate`. Stops the program if it is not called on the main actor.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = host.delegate }
        return delegate
    }

    /// Assigns the host's `delegate`. Stops the program if it is not called on the main actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { host.delegate = delegate }
    }
}
