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

/// A proxy of a `@MainActor` class whose delegate property `HasMainActorDelegate` does not describe:
/// a data source, or a property with another name or type.
///
///     nonisolated final class ListSourceProxy: MainActorDelegateProxyType, ListSource {
///         static func mainActorDelegate(for list: List) -> (any ListSource)? { list.source }
///         static func setMainActorDelegate(_ source: (any ListSource)?, for list: List) {
///             list.source = source
///         }
///         …
///     }
///
/// Call `proxy(for:)` and `isInstalled` only on the main actor. On another thread, they stop the
/// program.
public protocol MainActorDelegateProxyType: DelegateProxyType where Host: Sendable {
    /// Returns the object that the host calls as its delegate; `nil` if there is none.
    @MainActor static func mainActorDelegate(for host: Host) -> Delegate?
    /// Assigns the object that the host calls as its delegate.
    @MainActor static func setMainActorDelegate(_ delegate: Delegate?, for host: Host)
}

extension MainActorDelegateProxyType {
    /// Calls `mainActorDelegate(for:)`. Stops the program if it is not called on the main actor.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = mainActorDelegate(for: host) }
        return delegate
    }

    /// Calls `setMainActorDelegate(_:for:)`. Stops the program if it is not called on the main
    /// actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { setMainActorDelegate(delegate, for: host) }
    }
}
