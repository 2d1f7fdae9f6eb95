// SPDX-License-Identifier: MIT

/// A class that receives a host's delegate calls, publishes them as events and relays them to the
/// user's delegate.
///
/// The class adopts the delegate protocol. For each method of that protocol, it has a `MethodEvent`
/// and an implementation that relays the call. If the host adopts `HasDelegate`,
/// `HasRoutedDelegate` or `HasMulticastDelegate`, this is a complete example:
///
///     final class PickerProxy: DelegateProxyType, PickerDelegate {
///         let base: DelegateProxy<Picker, any PickerDelegate>
///         let didSelect: MethodEvent<Contact>
///
///         init(_ base: DelegateProxy<Picker, any PickerDelegate>) {
///             self.base = base
///             didSelect = base.event("didSelect")
///         }
///
///         static func registerKnownImplementations() { register { PickerProxy($0) } }
///
///         func picker(_ picker: Picker, didSelect contact: Contact) {
///             relay(didSelect, contact) { $0.picker(picker, didSelect: contact) }
///         }
///     }
///
/// Declare all methods in the class that adopts the delegate protocol, not in an extension of a
/// protocol.
public protocol DelegateProxyType<Host, Delegate>: DelegateRelay {
    /// Implement it to call `register` for the host class, and for each subclass of the host that
    /// needs another proxy class.
    ///
    /// It is called once, before the first proxy is created.
    static func registerKnownImplementations()

    /// Returns the object that the host calls as its delegate, such as a proxy; `nil` if there is
    /// none.
    ///
    /// If the host wraps an assigned delegate, return the assigned object, not the wrapper.
    static func currentDelegate(for host: Host) -> Delegate?
    /// Assigns or adds the object that the host calls as its delegate, such as a proxy. `nil`
    /// removes it.
    static func setCurrentDelegate(_ delegate: Delegate?, for host: Host)

    /// A name for the host's delegate property. It distinguishes several delegate properties of the
    /// same type, and proxy types of different modules. Default: `"delegate"`.
    static var slot: String { get }
    /// Whether the proxy retains the previous delegate. Return `true` if the host retains its
    /// delegate. Default: `false`.
    static var retainsPreviousDelegate: Bool { get }
    /// Whether the host determines only on assignment which methods its delegate implements. The
    /// proxy is then removed and assigned again when its interests change. Default: `false`.
    ///
    /// Between the removal and the assignment, a call from another thread may be lost. While the
    /// host calls its delegates in turn, one of them may attach the first observer of an event, or
    /// detach the last one; the proxy may then miss this call. A host that calls each new delegate
    /// at once repeats its values to the observers of other events. If an observer is attached
    /// while the host makes that call, the host is not made to call again.
    ///
    /// The property has no effect for the routed delegate of a host that adopts
    /// `HasRoutedDelegate`, whose `delegateInterestsDidChange` is called instead.
    static var refreshesByReassigning: Bool { get }
    /// Returns the methods that a delegate implements, as a set of bits. Default: all bits.
    static func interests(of delegate: Delegate) -> UInt64
}

extension DelegateProxyType {
    /// The default slot name, `"delegate"`.
    public static var slot: String { "delegate" }
    /// The default, `false`: the host holds its delegate weakly.
    public static var retainsPreviousDelegate: Bool { false }
    /// The default, `false`: the proxy is assigned only once.
    public static var refreshesByReassigning: Bool { false }
    /// Returns all bits, which means that the delegate implements all methods.
    public static func interests(of delegate: Delegate) -> UInt64 { .max }

    static var key: ProxyKey { ProxyKey(delegate: ObjectIdentifier(Delegate.self), slot: slot) }
}
