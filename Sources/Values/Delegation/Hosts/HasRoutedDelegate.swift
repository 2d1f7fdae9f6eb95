// SPDX-License-Identifier: MIT

/// A host whose delegate is stored in a `DelegateSlot`. It can be assigned at any time without
/// detaching observers.
///
///     final class Panel: HasRoutedDelegate {
///         let proxyStorage = ProxyStorage()
///         let delegateSlot = DelegateSlot<any PanelDelegate>()
///
///         var delegate: (any PanelDelegate)? {
///             get { delegateSlot.delegate }
///             set { delegateSlot.delegate = newValue }
///         }
///         func pick(_ index: Int) { delegateSlot.sink?.panel(self, picked: index) }
///     }
public protocol HasRoutedDelegate: DelegateProxyHost {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The slot with the user's delegate. The host calls the slot's `sink`.
    var delegateSlot: DelegateSlot<Delegate> { get }
}

extension DelegateProxyType where Host: HasRoutedDelegate, Host.Delegate == Delegate {
    /// Returns the object that the host calls: the proxy if there is one, otherwise the user's
    /// delegate.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegateSlot.sink
    }

    /// Makes a proxy the receiver of the host's calls. The proxy forwards calls to the user's
    /// delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegateSlot.setSink(delegate, base: (delegate as? Self)?.base)
    }
}
