// SPDX-License-Identifier: MIT

/// A class that stands in for a host's delegate.
///
/// It adopts the delegate protocol, has an event for each of the protocol's methods and relays each
/// call. Where the host adopts `HasDelegate`, `HasRoutedDelegate` or `HasMulticastDelegate`, this is
/// all there is to write:
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
/// The methods all have to stand in the class that adopts the delegate protocol.
public protocol DelegateProxyType<Host, Delegate>: DelegateRelay {
    /// Calls `register` for the host class and for subclasses that have proxies of their own.
    ///
    /// Called once, before the first proxy is made.
    static func registerKnownImplementations()

    /// What the host calls its delegate now.
    static func currentDelegate(for host: Host) -> Delegate?
    /// Puts a delegate where the host calls it.
    static func setCurrentDelegate(_ delegate: Delegate?, for host: Host)

    /// The name of the slot, where a host has several of the same type; `"delegate"` unless given.
    static var slot: String { get }
    /// Whether the host owned its delegate, so that the proxy has to; false unless given.
    static var retainsPreviousDelegate: Bool { get }
    /// Whether the host asks its delegate's interests only when it is assigned, so that a change of
    /// them needs a new assignment; false unless given.
    ///
    /// The slot is empty for a moment then: an event sent meanwhile by another thread is lost.
    static var refreshesByReassigning: Bool { get }
    /// Which methods a delegate wants, as bits of the protocol's own set; all unless given.
    static func interests(of delegate: Delegate) -> UInt64
}

extension DelegateProxyType {
    /// The only slot of its type.
    public static var slot: String { "delegate" }
    /// The host doesn't own its delegate.
    public static var retainsPreviousDelegate: Bool { false }
    /// The host doesn't cache what its delegate wants.
    public static var refreshesByReassigning: Bool { false }
    /// All methods.
    public static func interests(of delegate: Delegate) -> UInt64 { .max }

    static var key: ProxyKey { ProxyKey(delegate: ObjectIdentifier(Delegate.self), slot: slot) }
}
