// SPDX-License-Identifier: MIT

/// A host whose delegate can be assigned at any time without detaching observers.
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

    /// Stores the user's delegate; the host calls its `sink`.
    var delegateSlot: DelegateSlot<Delegate> { get }
}

extension DelegateProxyType where Host: HasRoutedDelegate, Host.Delegate == Delegate {
    /// The object that the host calls: the proxy, or the user's delegate if there is no proxy.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegateSlot.sink
    }

    /// Makes a proxy receive the host's calls instead of the user's delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegateSlot.setSink(delegate, base: (delegate as? Self)?.base)
    }
}
