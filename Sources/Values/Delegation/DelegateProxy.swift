// SPDX-License-Identifier: MIT

/// The base of a delegate proxy. It has the user's delegate and an event for each delegate method,
/// and relays calls to both.
///
/// A proxy is a class that adopts the delegate protocol, receives the host's delegate calls, and
/// implements each method in one line:
///
///     func panel(_ panel: Panel, picked index: Int) {
///         base.relay(picked, index) { $0.panel(panel, picked: index) }
///     }
///
/// The base holds the host weakly. It also holds the user's delegate weakly, unless
/// `retainDelegate` was passed. All members may be used from any thread.
public final class DelegateProxy<Host: AnyObject, Delegate>: DelegateRelay {
    private struct State {
        var methods: [any ObservedMethod] = []
        var isCompleted = false
    }

    // Safety: the reference never changes. The host defines the threads that may use the object.
    nonisolated(unsafe) private weak let weakHost: Host?
    @usableFromInline let forwardSlot = ForwardSlot<Delegate>()
    @usableFromInline let additional = MulticastDelegate<Delegate>()
    private let state = Locked(State())
    private let interestsOfDelegate: @Sendable (Delegate) -> UInt64
    private let onRefresh: @Sendable () -> Void
    private let interestNotifier: ChangeNotifier<UInt64>

    /// Creates the base of a proxy for `host`.
    ///
    /// `interestsOfDelegate` returns the methods that a delegate implements, as a set of bits.
    /// Default: all. `onInterestsChange` is called with the new value when `interests` has changed.
    /// Its calls never overlap.
    public convenience init(
        host: Host,
        interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64 = { _ in .max },
        onInterestsChange: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.init(
            host: host, interestsOfDelegate: interestsOfDelegate,
            onInterestsChange: onInterestsChange, onRefresh: {})
    }

    /// Creates the base of a proxy for `host`.
    ///
    /// `onRefresh` is called when an event gets its first observer or loses its last one, and when
    /// the user's delegate changes, even if `interests` stays the same.
    init(
        host: Host, interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64,
        onInterestsChange: @escaping @Sendable (UInt64) -> Void,
        onRefresh: @escaping @Sendable () -> Void
    ) {
        self.onRefresh = onRefresh
        weakHost = host
        self.interestsOfDelegate = interestsOfDelegate
        interestNotifier = ChangeNotifier(initially: 0, onChange: onInterestsChange)
    }

    deinit {
        complete()
    }

    /// The object that calls the proxy as its delegate; `nil` after the object has been
    /// deallocated.
    public var host: Host? { weakHost }

    /// This object, because it is its own base.
    @inlinable public var base: DelegateProxy { self }

    /// Whether a delegate is set or added. Stays `true` if the delegate has been deallocated.
    @inlinable var hasDelegates: Bool { forwardSlot.isOccupied || additional.isOccupied }

    /// Makes `delegate` the user's delegate until the returned subscription is disposed.
    ///
    /// If there is already a delegate, keeps it and throws
    /// `DelegationError.Code.delegateAlreadySet`. Disposing the subscription does not remove a
    /// delegate that has been set later. This proxy, and a proxy that forwards calls to it, are
    /// ignored: the returned subscription is already disposed.
    public func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool
    ) throws(DelegationError) -> Subscription {
        guard !isReached(from: delegate) else { return Subscription() }
        let version = try forwardSlot.install(delegate, retained: retainDelegate)
        refresh()
        return Subscription { [weak self] in
            guard let self, forwardSlot.clear(version) else { return }
            refresh()
        }
    }

    /// Creates the event of one delegate method.
    ///
    /// `interests` are the method's bits. They are set in the proxy's `interests` while the method
    /// is observed. A full `DeliveryQueue` drops calls of an `essential` method only if all waiting
    /// calls are essential.
    public func event<Payload: Sendable>(
        _ name: String, of payload: Payload.Type = Payload.self, interests: UInt64 = 0,
        essential: Bool = false
    ) -> MethodEvent<Payload> {
        self.event(name, interests: interests, essential: essential, flow: nil)
    }

    /// Creates the event of one delegate method. If `flow` is not `nil`, the source can pause while
    /// a consumer's buffer is full.
    package func event<Payload: Sendable>(
        _ name: String, interests: UInt64 = 0, essential: Bool = false, flow: FlowControl?
    ) -> MethodEvent<Payload> {
        let event = MethodEvent<Payload>(
            name: name, interests: interests, isEssential: essential, flow: flow,
            onObservedChange: { [weak self] in self?.refresh() })
        let isLate = state.withLock { state in
            state.methods.append(event)
            return state.isCompleted
        }
        if isLate {
            event.completeSentMessage()
            event.completeMethodInvoked()
        }
        return event
    }

    /// Completes the events of all methods. It is called when the host is deallocated.
    public func complete() {
        complete { $0() }
    }

    /// Completes the events of all methods. Those that are sent after the delegate has been called
    /// are completed after the calls that wait in `queue`.
    package func complete(afterCallsIn queue: DeliveryQueue) {
        complete { queue.enqueueCompletion($0) }
    }

    private func complete(_ schedule: (@escaping @Sendable () -> Void) -> Void) {
        let methods = state.withLock { state in
            state.isCompleted = true
            return state.methods
        }
        for method in methods { method.completeSentMessage() }
        schedule {
            for method in methods { method.completeMethodInvoked() }
        }
    }

    /// The bits of all methods that are observed or that a delegate implements.
    public var interests: UInt64 {
        var interests = state.withLock { $0.methods }
            .reduce(0) { $1.hasObservers ? $0 | $1.interests : $0 }
        callDelegates { interests |= interestsOfDelegate($0) }
        return interests
    }

    /// Calls `onRefresh`, and calls `onInterestsChange` if the interests have changed.
    func refresh() {
        onRefresh()
        interestNotifier.check { interests }
    }
}

extension DelegateProxy {
    /// Returns whether `delegate` is the user's delegate or one of the added delegates.
    package func hasDelegate(_ delegate: Delegate) -> Bool {
        if let current = forwardSlot.delegate, current as AnyObject === delegate as AnyObject {
            return true
        }
        return additional.contains(delegate)
    }

    /// Calls the user's delegate, then the added delegates.
    @inlinable @inline(__always)
    func callDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        if additional.isOccupied {
            try callAllDelegates(call)
        } else if let delegate = forwardSlot.delegate {
            try call(delegate)
        }
    }

    // This function is not inlined, so that the common case in `callDelegates` can be inlined into
    // `relay`, which halves the number of instructions.
    @usableFromInline
    func callAllDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        let delegate = forwardSlot.delegate
        if let delegate { try call(delegate) }
        try additional.forEach { other throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try call(other)
        }
    }
}

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

extension DelegateProxyType {
    /// Returns the host's proxy. The first call creates the proxy and installs it as the host's
    /// delegate.
    ///
    /// The proxy forwards calls to the previous delegate. If the program has assigned another
    /// delegate to the host since then, the proxy is installed again and forwards calls to that
    /// delegate. This does not happen with a host that adopts `HasRoutedDelegate`.
    ///
    /// Stops the program if no proxy is registered for the host's class. If the host does not keep
    /// the proxy as its delegate, the proxy's `isInstalled` is `false`. In both cases,
    /// `installedProxy(for:)` throws an error instead.
    public static func proxy(for host: Host) -> Self {
        do {
            return try proxy(for: host, mustBeInstalled: false)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the host's proxy like `proxy(for:)`, or throws an error if it cannot be installed.
    ///
    /// Throws `DelegationError.Code.noFactory` if no proxy is registered for the host's class, or
    /// if the host has a proxy of another type for the same slot. Throws `slotNotHonoured` and
    /// restores the previous delegate if the host does not keep the proxy as its delegate. A host
    /// that wraps its delegates then wraps the previous one once more. The previous delegate is then
    /// retained, and installation is not tried again until the program assigns another one.
    public static func installedProxy(for host: Host) throws(DelegationError) -> Self {
        try proxy(for: host, mustBeInstalled: true)
    }

    /// Whether the host's calls reach this proxy: it is the host's delegate, or another proxy that
    /// is the host's delegate forwards calls to it.
    public var isInstalled: Bool {
        guard let host = base.host else { return false }
        return isReached(from: Self.currentDelegate(for: host))
    }

    /// Makes `delegate` the host's delegate until the returned subscription is disposed. Observers
    /// stay attached.
    ///
    /// If there is already a delegate, keeps it and throws
    /// `DelegationError.Code.delegateAlreadySet`. Also throws the errors of `installedProxy(for:)`.
    /// Disposing the subscription does not remove a delegate that has been set later.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// The same as `installForwardDelegate`, with a delegate that is held weakly.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }

    private static func proxy(
        for host: Host, mustBeInstalled: Bool
    ) throws(DelegationError) -> Self {
        let entry = ProxyStorage.of(host).entry(for: key)
        // The installation may replace this delegate, which is then also released outside the lock.
        let rewrapped = entry.rewrapped
        defer { withExtendedLifetime(rewrapped) {} }
        // The closure returns the previous delegate, so that it is released outside the lock. This
        // may be the last reference to it, and its deinit may call this function.
        return try entry.lock.withLock { () throws(DelegationError) -> (Self, Delegate?) in
            if entry.installed == nil {
                store(try makeProxy(for: host, in: entry), in: entry)
            }
            guard let proxy = entry.installed?.proxy as? Self else {
                let other = entry.installed.map { "; it has a \(type(of: $0.proxy))" } ?? ""
                throw DelegationError(
                    .noFactory, "\(type(of: host as AnyObject)) for \(Self.self)\(other)")
            }
            do throws(DelegationError) {
                return (proxy, try proxy.install(on: host, in: entry))
            } catch {
                if mustBeInstalled { throw error }
                return (proxy, nil)
            }
        }.0
    }

    private static func store(
        _ proxy: any DelegateProxyType<Host, Delegate>, in entry: ProxyEntry
    ) {
        let base = proxy.base
        var reassign: (@Sendable () -> Void)?
        // A `HasRoutedDelegate` host reads its slot at each call. Assigning the proxy to the slot
        // again would remove the user's delegate and cause the next reassignment, without end.
        let routed = Host.self as? any HasRoutedDelegate.Type
        if refreshesByReassigning, routed.map({ routes($0) }) != true {
            let reassignHere: @Sendable () -> Void = { [weak entry, weak proxy] in
                guard let entry, let proxy, let host = base.host else { return }
                entry.assign(isRequired: false, interests: { base.interests }) {
                    Self.reassign(proxy, to: host)
                }
            }
            // Attaching an observer reassigns the proxy, and may happen on any thread.
            let isOnMainActor =
                Host.self is any HasMainActorDelegate.Type
                || Host.self is any HasMainActorMulticastDelegate.Type
                || Self.self is any MainActorDelegateProxyType.Type
            reassign = isOnMainActor ? { MainQueue.perform(reassignHere) } : reassignHere
        }
        entry.installed = ProxyEntry.Installed(
            proxy: proxy, complete: { base.complete() }, reassign: reassign)
    }

    /// Returns whether the delegate that the host routes through its `DelegateSlot` has the
    /// delegate type of this proxy type. The host may also have delegates of other types.
    private static func routes<Routed: HasRoutedDelegate>(_ host: Routed.Type) -> Bool {
        Routed.Delegate.self as Any.Type == Delegate.self as Any.Type
    }

    private static func reassign(_ proxy: AnyObject, to host: Host) {
        guard let current = currentDelegate(for: host), current as AnyObject === proxy else {
            return
        }
        setCurrentDelegate(nil, for: host)
        setCurrentDelegate(current, for: host)
    }

    /// Makes the proxy the host's delegate. Returns the previous delegate; `nil` if there was none
    /// or the proxy was already the delegate.
    private func install(
        on host: Host, in entry: ProxyEntry
    ) throws(DelegationError) -> Delegate? {
        let previous = Self.currentDelegate(for: host)
        // A proxy of another type may forward calls to this proxy. If this proxy replaced it as the
        // host's delegate, each would forward calls to the other.
        if isReached(from: previous) { return nil }
        // Another attempt would only wrap the previous delegate once more.
        if let previous, entry.rewrapped?.wrapper.object === previous as AnyObject {
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        guard let delegate = self as? Delegate else {
            preconditionFailure("\(Self.self) must adopt \(Delegate.self)")
        }
        // The order matters: a call between these two assignments reaches the previous delegate
        // exactly once.
        base.setForwardToDelegate(previous, retainDelegate: Self.retainsPreviousDelegate)
        if entry.installed?.reassign == nil {
            Self.setCurrentDelegate(delegate, for: host)
        } else {
            entry.assign(isRequired: true, interests: { base.interests }) {
                Self.setCurrentDelegate(delegate, for: host)
            }
        }
        guard isReached(from: Self.currentDelegate(for: host)) else {
            base.setForwardToDelegate(nil)
            Self.setCurrentDelegate(previous, for: host)
            entry.rewrapped = ProxyEntry.Rewrapped(
                previous.map { $0 as AnyObject },
                in: Self.currentDelegate(for: host).map { $0 as AnyObject })
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        entry.rewrapped = nil
        return previous
    }
}

extension DelegateProxyType {
    /// Registers a closure that creates proxies for a host class and its subclasses.
    ///
    /// It may be called at any time. Existing proxies are kept. Registering a class twice stops the
    /// program.
    public static func register(
        for hostClass: Host.Type = Host.self,
        _ make: @escaping @Sendable (DelegateProxy<Host, Delegate>) -> Self
    ) {
        let isNew = ProxyFactories.factory(for: Self.self).register(hostClass) { make($0) }
        precondition(isNew, "\(hostClass) already has a registered proxy")
    }

    /// Creates a proxy for `host` without storing or installing it.
    ///
    /// Throws `DelegationError.Code.noFactory` if no proxy is registered for the host's class.
    private static func makeProxy(
        for host: Host, in entry: ProxyEntry
    ) throws(DelegationError) -> any DelegateProxyType<Host, Delegate> {
        guard let make = ProxyFactories.factory(for: Self.self).maker(for: host) else {
            throw DelegationError(.noFactory, "\(type(of: host as AnyObject)) for \(Self.self)")
        }
        // Safety: `owner` is only used to call `delegateInterestsDidChange`, which is allowed on
        // any thread.
        nonisolated(unsafe) weak let owner = host as? any DelegateProxyHost
        return make(
            DelegateProxy(
                host: host, interestsOfDelegate: { interests(of: $0) },
                onInterestsChange: { owner?.delegateInterestsDidChange(to: $0, slot: slot) },
                onRefresh: { [weak entry] in entry?.installed?.reassign?() }))
    }
}

/// The factories of proxies: one for each combination of host class, delegate type and slot.
private enum ProxyFactories {
    private struct Key: Hashable, Sendable {
        let host: ObjectIdentifier
        let proxy: ProxyKey
    }

    // Held while `registerKnownImplementations()` runs, so that no thread uses a factory with only
    // some of its registrations. It is recursive, because a registration looks up the factory.
    private static let lock = RecursiveLock()
    private static let factories = Locked<[Key: any AnyObject & Sendable]>([:])

    static func factory<Proxy: DelegateProxyType>(
        for proxy: Proxy.Type
    ) -> ProxyFactory<Proxy.Host, Proxy.Delegate> {
        typealias Factory = ProxyFactory<Proxy.Host, Proxy.Delegate>
        let key = Key(host: ObjectIdentifier(Proxy.Host.self), proxy: Proxy.key)
        return lock.withLock {
            if let factory = factories.withLock({ $0[key] }) as? Factory { return factory }
            let factory = Factory()
            factories.withLock { $0[key] = factory }
            Proxy.registerKnownImplementations()
            return factory
        }
    }
}

/// Creates the proxy that is registered for a host's class or its nearest superclass.
private final class ProxyFactory<Host: AnyObject, Delegate>: Sendable {
    typealias Base = DelegateProxy<Host, Delegate>
    typealias Make = @Sendable (Base) -> any DelegateProxyType<Host, Delegate>

    private let makers = Locked<[ObjectIdentifier: Make]>([:])

    /// Registers a closure that creates proxies for a class and its subclasses. Returns `false` if
    /// the class already has a closure.
    func register(_ hostClass: AnyClass, _ make: @escaping Make) -> Bool {
        makers.withLock { makers in
            let id = ObjectIdentifier(hostClass)
            guard makers[id] == nil else { return false }
            makers[id] = make
            return true
        }
    }

    /// Returns the closure registered for the host's class or its nearest superclass; `nil` if
    /// there is none.
    func maker(for host: Host) -> Make? {
        let makers = makers.withLock { $0 }
        var hostClass: AnyClass? = type(of: host)
        while let current = hostClass {
            if let make = makers[ObjectIdentifier(current)] { return make }
            hostClass = _getSuperclass(current)
        }
        return nil
    }
}

/// A `MethodEvent` with any type of payload.
protocol ObservedMethod: Sendable {
    var interests: UInt64 { get }
    var hasObservers: Bool { get }
    func completeSentMessage()
    func completeMethodInvoked()
}

/// Two events for the calls of one delegate method: one before the user's delegate is called, and
/// one afterwards.
public final class MethodEvent<Payload: Sendable>: EventSource, ObservedMethod {
    /// The method's name.
    public let name: String
    /// Sends the arguments of each call before the delegate is called.
    public let sentMessage: Event<Payload>
    /// Sends the arguments of each call after the delegate has been called, even if no delegate is
    /// set.
    public let methodInvoked: Event<Payload>
    /// The bits that stand for this method in `DelegateProxy.interests`.
    let interests: UInt64
    /// Whether a full `DeliveryQueue` drops a call of this method only if all waiting calls are
    /// essential.
    @usableFromInline let isEssential: Bool

    init(
        name: String, interests: UInt64, isEssential: Bool,
        flow: FlowControl? = nil, onObservedChange: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.interests = interests
        self.isEssential = isEssential
        sentMessage = Event(flow: flow) { _ in onObservedChange() }
        methodInvoked = Event(flow: flow) { _ in onObservedChange() }
    }

    /// The route of `sentMessage`, so `subscribe` and `values` use that event.
    public var route: EventRoute<Payload> { sentMessage.route }

    /// Whether either event has observers.
    public var hasObservers: Bool { sentMessage.hasObservers || methodInvoked.hasObservers }

    /// Observes `sentMessage` on the sender's thread; see `Event.observe(_:onCompletion:)`.
    ///
    /// Observers are called before the delegate, so a slow delegate does not delay them.
    @discardableResult
    @inlinable
    public func observe(
        _ body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) -> Subscription {
        sentMessage.observe(body, onCompletion: onCompletion)
    }

    func completeSentMessage() { sentMessage.complete() }

    func completeMethodInvoked() { methodInvoked.complete() }
}

/// The error thrown if a proxy or a delegate cannot be installed.
public struct DelegationError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A delegate is already set and has not been replaced.
        public static let delegateAlreadySet = Code(rawValue: "a delegate is already set")
        /// The host's delegate property does not return the object that was assigned to it.
        public static let slotNotHonoured = Code(rawValue: "the host didn't keep its delegate")
        /// No proxy of the requested type is registered for the host's class or its superclasses.
        public static let noFactory = Code(rawValue: "no proxy is registered for the host")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the host, proxy or delegate involved.
    public let context: String

    /// Creates an error.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }

    /// The code and the context.
    public var description: String { "\(code.rawValue): \(context)" }
}
