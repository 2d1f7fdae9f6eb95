// SPDX-License-Identifier: MIT

/// A class with a `delegate` property; its proxies put themselves there.
public protocol HasDelegate: AnyObject {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object that is told, usually held weakly.
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
