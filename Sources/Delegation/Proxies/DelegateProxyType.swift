// SPDX-License-Identifier: MIT

/// A class that receives a host's delegate calls, publishes them as events and relays them to the
/// user's delegate.
///
/// It adopts the delegate protocol and has an event and a method for each of the protocol's methods.
/// If the host adopts `HasDelegate`, `HasRoutedDelegate` or `HasMulticastDelegate`, this is the
/// complete implementation:
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
/// Declare all methods in the class that adopts the delegate protocol, not in an extension of a protocol.
public protocol DelegateProxyType<Host, Delegate>: DelegateRelay {
    /// Calls `register` for the host class and for subclasses that have proxies of their own.
    ///
    /// Called once, before the first proxy is made.
    static func registerKnownImplementations()

    /// Returns the object that the host calls as its delegate.
    static func currentDelegate(for host: Host) -> Delegate?
    /// Assigns or adds the object that the host calls as its delegate.
    static func setCurrentDelegate(_ delegate: Delegate?, for host: Host)

    /// The name of the slot, for hosts with several slots of one type. Default: `"delegate"`.
    static var slot: String { get }
    /// Whether the proxy must retain the previous delegate because the host did. Default: `false`.
    static var retainsPreviousDelegate: Bool { get }
    /// Whether the host reads its delegate's interests only on assignment, so that the proxy must be
    /// assigned again when they change. Default: `false`.
    ///
    /// The slot is empty between the two assignments: a call from another thread may be lost.
    static var refreshesByReassigning: Bool { get }
    /// Returns the methods that a delegate wants, as bits of the protocol's set. Default: all.
    static func interests(of delegate: Delegate) -> UInt64
}

extension DelegateProxyType {
    /// The default slot name, `"delegate"`.
    public static var slot: String { "delegate" }
    /// The default: the host holds its delegate weakly.
    public static var retainsPreviousDelegate: Bool { false }
    /// The default: the host doesn't cache its delegate's interests.
    public static var refreshesByReassigning: Bool { false }
    /// All methods.
    public static func interests(of delegate: Delegate) -> UInt64 { .max }

    static var key: ProxyKey { ProxyKey(delegate: ObjectIdentifier(Delegate.self), slot: slot) }
}
