// SPDX-License-Identifier: MIT
import Glibc

/// Relays a call in the default implementation of a delegate's method, so that a proxy that does not
/// have the method does not keep the call from the user's delegate.
///
/// If all methods of a delegate protocol are optional, the compiler does not notice that a proxy lacks
/// one. Call this function in each default implementation:
///
///     extension PanelDelegate {
///         func panel(_ panel: Panel, didPress button: Int) {
///             relayMissing(self) { (delegate: any PanelDelegate) in
///                 delegate.panel(panel, didPress: button)
///             }
///         }
///     }
///
/// If `object` is a proxy, its delegates are called. If one of them implements the method, a debug
/// build of `Delegation` prints once for each proxy type and method what to add to the proxy.
///
/// `fallback` is called if neither the object nor, if it is a proxy, a delegate implements the method,
/// as a default implementation that calls an older method needs it.
public func relayMissing<Delegate>(
    _ object: AnyObject, method: String = #function, _ call: (Delegate) -> Void,
    orElse fallback: () -> Void = {}
) {
    guard MissingMethod.isUnimplemented(by: object, method) else { return }
    guard let proxy = object as? any DelegateRelay else { return fallback() }
    var isImplemented = false
    proxy.callEach { (delegate: Delegate) in
        if proxy.probe(delegate, method, { call(delegate) }) { isImplemented = true }
    }
    guard isImplemented else { return fallback() }
    // The proxy may have the older method, whose observers are still called. The delegates have
    // received the call.
    MissingMethod.$current.withValue(MissingMethod(in: proxy, name: nil)) { fallback() }
}

/// Relays a call that returns a value, in the default implementation of a delegate's method.
///
/// If `object` is a proxy, returns the result of the user's delegate. Otherwise, and if there is no
/// delegate, returns `fallback`. In other respects, this function is the same as the one for methods
/// without a result.
public func relayMissing<Delegate, Result>(
    _ object: AnyObject, method: String = #function,
    default fallback: @autoclosure () -> Result, _ call: (Delegate) -> Result
) -> Result {
    guard MissingMethod.isUnimplemented(by: object, method),
        let proxy = object as? any DelegateRelay,
        let delegate = proxy.forwardToDelegate() as? Delegate
    else { return fallback() }
    var result: Result?
    _ = proxy.probe(delegate, method) { result = call(delegate) }
    return result ?? fallback()
}

/// A method whose default implementation was called for a proxy, while a delegate of that proxy is
/// called instead.
package final class MissingMethod: Sendable {
    @TaskLocal static var current: MissingMethod?
    /// Prints a message. Tests replace it.
    @TaskLocal package static var report: @Sendable (String) -> Void = { message in
        var line = "\(message)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    private static let reported = Locked<Set<String>>([])

    private let object: ObjectIdentifier
    /// The method's name; `nil` for all methods.
    private let name: String?
    private let reached = Locked(false)

    init(in object: AnyObject, name: String?) {
        self.object = ObjectIdentifier(object)
        self.name = name
    }

    /// Whether the default implementation has been called: the delegate does not have the method.
    var isReached: Bool { reached.withLock { $0 } }

    /// Returns whether a default implementation continues. If the call comes from a proxy that lacks
    /// the method, it only reports that the object lacks it, too.
    static func isUnimplemented(by object: AnyObject, _ method: String) -> Bool {
        guard let current, current.object == ObjectIdentifier(object),
            current.name == nil || current.name == method
        else { return true }
        current.reached.withLock { $0 = true }
        return false
    }

    /// Prints once what to add to a proxy.
    static func report(_ method: String, of delegate: Any.Type, missingIn proxy: Any.Type) {
        let isFirst = reported.withLock {
            $0.insert("\(ObjectIdentifier(proxy)) \(method)").inserted
        }
        guard isFirst else { return }
        let (name, labels) = parts(of: method)
        let call = labels.map { $0 == "_" ? "…" : "\($0): …" }.joined(separator: ", ")
        report(
            "Delegation: \(proxy) lacks \(method), which \(delegate) implements. "
                + "\(delegate) is called, but no event is sent. Write in \(proxy): func \(name)(…) "
                + "{ relay(\(labels.last.flatMap { $0 == "_" ? nil : $0 } ?? name), …) "
                + "{ $0.\(name)(\(call)) } }")
    }

    /// Splits `panel(_:didPress:)` into `panel` and its labels.
    private static func parts(of method: String) -> (name: Substring, labels: [Substring]) {
        let name = method.prefix { $0 != "(" }
        let labels = method.dropFirst(name.count + 1).split { $0 == ":" || $0 == ")" }
        return (name, labels)
    }
}

extension DelegateRelay {
    /// Calls `body` with each delegate.
    fileprivate func callEach<Other>(_ body: (Other) -> Void) {
        base.callDelegates { if let delegate = $0 as? Other { body(delegate) } }
    }

    /// Runs `call`, which calls a method of `delegate` that this proxy lacks. Returns whether the
    /// delegate implements it.
    fileprivate func probe<Other>(_ delegate: Other, _ method: String, _ call: () -> Void) -> Bool {
        let object = delegate as AnyObject
        let probe = MissingMethod(in: object, name: method)
        // A proxy of another type that lacks the method relays the call itself.
        guard !(object is any DelegateRelay) else {
            call()
            return true
        }
        MissingMethod.$current.withValue(probe, operation: call)
        guard !probe.isReached else { return false }
        #if DEBUG
            MissingMethod.report(method, of: type(of: object), missingIn: Self.self)
        #endif
        return true
    }
}
