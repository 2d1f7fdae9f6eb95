// SPDX-License-Identifier: MIT

/// A host whose delegate can be assigned at any time without detaching an observer.
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

    /// Where the delegate is kept, and what to call.
    var delegateSlot: DelegateSlot<Delegate> { get }
}

extension DelegateProxyType where Host: HasRoutedDelegate, Host.Delegate == Delegate {
    /// What the host calls: a proxy, or the user's delegate as long as there is none.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegateSlot.sink
    }

    /// Puts a proxy before the user's delegate.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegateSlot.place(delegate, base: (delegate as? Self)?.base)
    }
}
