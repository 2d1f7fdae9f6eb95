// SPDX-License-Identifier: MIT
import Glibc
public import Synchronization

/// A class that relays delegate calls: a proxy, or the base of a proxy.
public protocol DelegateRelay<Host, Delegate>: AnyObject, Sendable {
    /// The class whose delegate calls are relayed.
    associatedtype Host: AnyObject
    /// The delegate's type, `any SomeDelegate`.
    associatedtype Delegate

    /// The base, which has the proxy's delegates and events.
    var base: DelegateProxy<Host, Delegate> { get }
}

extension DelegateRelay {
    /// Returns the user's delegate, which receives every call that the proxy receives; `nil` if
    /// none is set.
    @inlinable
    public func forwardToDelegate() -> Delegate? {
        base.forwardSlot.delegate
    }

    /// Replaces the user's delegate. Observers stay attached.
    ///
    /// The delegate is held weakly unless `retainDelegate` is `true`. This proxy, and a proxy whose
    /// user's delegate it is, are ignored, because a call would never return.
    public func setForwardToDelegate(_ delegate: Delegate?, retainDelegate: Bool = false) {
        guard !isReached(from: delegate) else { return }
        base.forwardSlot.set(delegate, retained: retainDelegate)
        base.refresh()
    }

    /// Adds a delegate that is called after the user's delegate and after the delegates added
    /// before.
    ///
    /// It is held weakly. It receives each call only once, even if it is added twice or is also the
    /// user's delegate. Calls that return a value are relayed only to the user's delegate. This
    /// proxy, and a proxy whose user's delegate it is, are ignored.
    public func addDelegate(_ delegate: Delegate) {
        guard !isReached(from: delegate) else { return }
        base.additional.add(delegate)
        base.refresh()
    }

    /// Removes a delegate added with `addDelegate(_:)`. Does nothing for any other object.
    public func removeDelegate(_ delegate: Delegate) {
        base.additional.remove(delegate)
        base.refresh()
    }

    /// Relays a call: sends the event's `sentMessage`, calls the delegates, then sends
    /// `methodInvoked`.
    ///
    /// If a delegate throws an error, later delegates are not called, `methodInvoked` is sent, and
    /// the error is rethrown.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        try base.callDelegates(call)
    }

    /// Relays a call to the user's delegate only, and returns its result. Returns `fallback` if no
    /// delegate is set.
    ///
    /// Rethrows the delegate's error. `methodInvoked` is sent in any case. Use it for a completion
    /// handler, too, so that the handler is called once:
    ///
    ///     relay(willOpen, page, default: decide(true)) { $0.willOpen(page, decide: decide) }
    @inlinable
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Result,
        _ call: (Delegate) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try call(delegate)
    }

    /// Relays an asynchronous call: sends the event's `sentMessage`, calls one delegate after the
    /// other, then sends `methodInvoked`.
    ///
    /// If a delegate throws an error, later delegates are not called, `methodInvoked` is sent, and
    /// the error is rethrown.
    @inlinable
    public func relay<Payload, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) async throws(Failure) -> Void
    ) async throws(Failure) {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        let delegate = forwardToDelegate()
        if let delegate { try await call(delegate) }
        try await base.additional.forEach { other async throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try await call(other)
        }
    }

    /// Relays an asynchronous call to the user's delegate only, and returns its result. Returns
    /// `fallback` if no delegate is set.
    ///
    /// Rethrows the delegate's error. `methodInvoked` is sent in any case.
    @inlinable
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        default fallback: @autoclosure () throws(Failure) -> Result,
        _ call: (Delegate) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        event.sentMessage.send(payload)
        defer { event.methodInvoked.send(payload) }
        guard let delegate = forwardToDelegate() else { return try fallback() }
        return try await call(delegate)
    }

    /// Relays a call to delegates that are called on `queue`.
    ///
    /// `sentMessage` is sent at once, on this thread, so a slow delegate does not delay its
    /// observers. When the queue runs the call, the delegates that are set at that time are called,
    /// and `methodInvoked` is sent. If the queue is full and drops the call, neither happens; the
    /// queue's `droppedCount` includes the call.
    @inlinable
    public func relay<Payload>(
        _ event: MethodEvent<Payload>, _ payload: Payload, on queue: DeliveryQueue,
        _ call: @escaping @Sendable (Delegate) -> Void
    ) {
        event.sentMessage.send(payload)
        guard base.hasDelegates || event.methodInvoked.hasObservers else { return }
        queue.enqueue(essential: event.isEssential) { [base] in
            base.callDelegates(call)
            event.methodInvoked.send(payload)
        }
    }
}

extension DelegateRelay {
    /// Returns whether `delegate` is this proxy, or a proxy that forwards calls to it.
    func isReached(from delegate: Delegate?) -> Bool {
        guard let delegate, let proxy = delegate as AnyObject as? any DelegateRelay else {
            return false
        }
        return proxy.hasBase(base) || isReached(from: proxy.forwardToDelegate() as? Delegate)
    }

    private func hasBase(_ other: AnyObject) -> Bool { base === other }
}

// With these two methods, the compiler reports the missing argument. Without them, it reports
// "cannot convert return expression of type '()'".
extension DelegateRelay {
    /// Not available: a method that returns a value needs the argument `default:`.
    @available(*, unavailable, message: "add 'default: …', the result if no delegate is set")
    @_disfavoredOverload
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        preconditionFailure("unavailable")
    }

    /// Not available: a method that returns a value needs the argument `default:`.
    @available(*, unavailable, message: "add 'default: …', the result if no delegate is set")
    @_disfavoredOverload
    public func relay<Payload, Result, Failure: Error>(
        _ event: MethodEvent<Payload>, _ payload: Payload,
        _ call: (Delegate) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        preconditionFailure("unavailable")
    }
}

/// A proxy's reference to the user's delegate. The reference is weak or strong.
@usableFromInline
final class ForwardSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var reference: WeakDelegate<Delegate>?
        /// The delegate if the reference is strong, otherwise `nil`.
        // Safety: the object is only retained and released. The delegate protocol defines the
        // threads that may call it.
        nonisolated(unsafe) var retained: AnyObject?
        /// The number of changes so far. It identifies the change that set the current delegate.
        var version: UInt64 = 0

        init() {}

        init(_ delegate: Delegate?, retained: Bool) {
            reference = delegate.map(WeakDelegate.init)
            self.retained = retained ? delegate.map { $0 as AnyObject } : nil
        }
    }

    @usableFromInline let state = Locked(State())
    // This is outside the lock, so that a call without a delegate costs one atomic load.
    @usableFromInline let hasReference = Atomic(false)

    /// Whether a delegate is set. Stays `true` if the delegate has been deallocated.
    @inlinable var isOccupied: Bool { hasReference.load(ordering: .acquiring) }

    /// The delegate; `nil` if none is set or it has been deallocated.
    @inlinable var delegate: Delegate? {
        guard isOccupied else { return nil }
        return state.withLock { $0.reference?.value }
    }

    /// Replaces the delegate. The reference is strong if `retained` is `true`, otherwise weak.
    func set(_ delegate: Delegate?, retained: Bool) {
        let new = State(delegate, retained: retained)
        let old = state.withLock { replace(&$0, by: new) }
        // The old state is released outside the lock, because this may run a delegate's deinit.
        withExtendedLifetime(old) {}
    }

    /// Replaces the delegate with the object of `reference`, held weakly. Does nothing if the slot
    /// already retains that object. Returns the old state, which the caller must release outside
    /// its locks.
    func update(to reference: WeakDelegate<Delegate>?) -> State? {
        state.withLock { state in
            // A retained object has not been deallocated, so no other object has its identifier.
            if state.retained != nil, state.reference?.identity == reference?.identity {
                return nil
            }
            var new = State()
            new.reference = reference
            return replace(&state, by: new)
        }
    }

    /// Sets the delegate if none is set. Returns the version to pass to `clear`.
    ///
    /// If there is already a delegate, throws `DelegationError.Code.delegateAlreadySet` with the
    /// description of that delegate.
    func install(_ delegate: Delegate, retained: Bool) throws(DelegationError) -> UInt64 {
        let new = State(delegate, retained: retained)
        while true {
            // The check is made outside the lock, because releasing the current delegate may run
            // its deinit.
            let current = state.withLock { $0 }
            if let occupant = current.reference?.value {
                let name = String(describing: occupant as AnyObject)
                throw DelegationError(.delegateAlreadySet, "the delegate is \(name)")
            }
            let version = state.withLock { state -> UInt64? in
                guard state.version == current.version else { return nil }
                _ = replace(&state, by: new)
                return state.version
            }
            if let version { return version }
        }
    }

    /// Removes the delegate if it has not been changed since `install` returned `version`. Returns
    /// whether the delegate was removed.
    func clear(_ version: UInt64) -> Bool {
        let old = state.withLock { state -> State? in
            guard state.version == version else { return nil }
            return replace(&state, by: State())
        }
        return old != nil
    }

    /// Replaces the state. Returns the old state, which must be released outside the lock.
    private func replace(_ state: inout State, by new: State) -> State {
        let old = state
        state = new
        state.version = old.version + 1
        hasReference.store(new.reference != nil, ordering: .releasing)
        return old
    }
}

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

/// A weak reference to a delegate of any protocol type.
///
/// `Delegate` is usually `any SomeDelegate`. A generic type cannot declare a `weak` property of
/// type `Delegate`, and casting an object to the protocol takes ten times as long as a call. So
/// `WeakDelegate` stores the bytes of the existential in addition to a weak reference to the
/// object. The bytes are read only while the object is retained.
// Safety: nothing changes after `init`, and weak references may be read from any thread. The
// delegate protocol defines the threads that may call the delegate.
@usableFromInline
final class WeakDelegate<Delegate>: @unchecked Sendable {
    @usableFromInline weak let object: AnyObject?
    @usableFromInline let bits: UnsafeMutablePointer<Delegate>
    let identity: ObjectIdentifier

    init(_ delegate: Delegate) {
        precondition(
            type(of: delegate as Any) is AnyClass,
            "a delegate must be an object: \(Delegate.self)")
        object = delegate as AnyObject
        identity = ObjectIdentifier(delegate as AnyObject)
        bits = .allocate(capacity: 1)
        // Safety: the copied bytes do not retain the object. `value` reads them only while it
        // retains the object, and they are deallocated without being deinitialized.
        withUnsafePointer(to: delegate) {
            UnsafeMutableRawPointer(bits).copyMemory(
                from: $0, byteCount: MemoryLayout<Delegate>.size)
        }
    }

    deinit {
        bits.deallocate()
    }

    /// The delegate; `nil` if it has been deallocated.
    @inlinable var value: Delegate? {
        guard let object else { return nil }
        // Safety: `object` and `bits` refer to the same object. The value that is moved out of
        // `copy` owns the reference that is retained here, so the two balance.
        _ = Unmanaged.passRetained(object)
        return withUnsafeTemporaryAllocation(of: Delegate.self, capacity: 1) { copy in
            UnsafeMutableRawBufferPointer(copy)
                .copyMemory(
                    from: UnsafeRawBufferPointer(start: bits, count: MemoryLayout<Delegate>.size))
            return copy.moveElement(from: 0)
        }
    }

    /// Returns whether this refers to `other`, which the caller must retain. It may be called with
    /// a lock held, because it retains no other object and so runs no deinit.
    ///
    /// Comparing the identifiers is not enough: `other` may have the identifier of a deallocated
    /// object.
    func refers(to other: AnyObject) -> Bool {
        identity == ObjectIdentifier(other) && object === other
    }
}

/// A weak reference to any object.
// Safety: the reference never changes and may be read from any thread. The object is only compared
// or returned to the code that stored it.
final class WeakObject<Object: AnyObject>: @unchecked Sendable {
    weak let object: Object?

    init(_ object: Object) { self.object = object }
}
