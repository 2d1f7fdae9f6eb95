// SPDX-License-Identifier: MIT

/// A class with a delegate (a host) that stores its own proxies.
///
/// The proxies' events complete when the host is deallocated. The proxies of other classes are
/// stored in a global table. Their events complete when `ProxyStorage.sweep()` finds that the host
/// has been deallocated.
///
/// The conformance is nonisolated. Therefore, a class that declares it, or `HasRoutedDelegate`, is
/// `nonisolated` even in a module whose default isolation is the main actor. Exceptions are classes
/// that are `@MainActor`, or adopt `HasMainActorDelegate` or `HasMainActorMulticastDelegate`.
public protocol DelegateProxyHost: AnyObject, SendableMetatype {
    /// The storage of this object's proxies. Declare it as a `let` that no other object uses.
    var proxyStorage: ProxyStorage { get }

    /// Called when the host's interests have changed: the set of delegate methods that are observed
    /// or that a delegate implements. Default: does nothing.
    ///
    /// `slot` is the `slot` of the proxy type. Calls for one slot do not overlap and may arrive on
    /// any thread. The last call has the final set. Use `interests` rather than the property of the
    /// proxy, which may have changed again.
    func delegateInterestsDidChange(to interests: UInt64, slot: String)
}

extension DelegateProxyHost {
    /// Does nothing.
    public func delegateInterestsDidChange(to interests: UInt64, slot: String) {}
}

/// Stores a host's delegate weakly, and optionally a proxy that receives the host's calls first.
///
/// The user of the host reads and writes `delegate`, and the host calls `sink`. Without a proxy,
/// both are the same object. With a proxy, `sink` is the proxy, which forwards calls to `delegate`.
/// Therefore, assigning a delegate does not detach observers, and reading `delegate` always returns
/// the object that the user assigned.
public final class DelegateSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        // Safety: this type does not call the delegate. The delegate protocol defines the threads
        // that may call it.
        @usableFromInline nonisolated(unsafe) var proxy: Delegate?
        /// The user's delegate if the slot does not have a proxy, otherwise `nil`.
        @usableFromInline var user: WeakDelegate<Delegate>?
        /// The reference to the user's delegate in the proxy that was set first; `nil` if the slot
        /// does not have a proxy.
        var forward: ForwardSlot<Delegate>?
        /// Sets the delegate of that proxy, and updates the proxy's interests.
        var assign: (@Sendable (Delegate?) -> Void)?
    }

    @usableFromInline let state = Locked(State())

    /// Creates an empty slot.
    public init() {}

    /// The delegate that the user assigned; `nil` if none is assigned or it has been deallocated.
    ///
    /// Assigning the slot's own proxy, or a proxy whose user's delegate that is, has no effect.
    public var delegate: Delegate? {
        get {
            let state = state.withLock { $0 }
            return state.forward.map(\.delegate) ?? state.user?.value
        }
        set {
            let reference = newValue.map(WeakDelegate.init)
            let assign = state.withLock { state -> (@Sendable (Delegate?) -> Void)? in
                if state.assign == nil { state.user = reference }
                return state.assign
            }
            assign?(newValue)
        }
    }

    /// The object that the host calls: the proxy if there is one, otherwise the user's delegate.
    @inlinable public var sink: Delegate? {
        state.withLock { $0.proxy ?? $0.user?.value }
    }

    /// Sets the object that the host calls: a proxy with the base `base` or, if `base` is `nil`,
    /// the user's delegate.
    ///
    /// If the slot already has the proxy of another type, that proxy keeps the user's delegate, and
    /// the new proxy forwards calls to it.
    package func setSink<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink, let base else {
            let old = state.exchange(State(user: sink.map(WeakDelegate.init)))
            return withExtendedLifetime(old) {}
        }
        // A proxy that is set again must not be made to forward calls to itself.
        if base.isReached(from: state.withLock { $0.proxy }) { return }
        let old = state.withLock { state -> (State, ForwardSlot<Delegate>.State?) in
            let old = state
            var forwarded: ForwardSlot<Delegate>.State?
            // The proxy's delegate is set while the lock is held. So an assignment by another
            // thread is either included or made in the proxy afterwards.
            if old.forward == nil {
                forwarded = base.forwardSlot.update(to: old.user)
                state = State(
                    proxy: sink, forward: base.forwardSlot,
                    assign: { [weak base] in base?.setForwardToDelegate($0) })
            } else {
                if old.forward !== base.forwardSlot {
                    forwarded = base.forwardSlot.update(to: old.proxy.map(WeakDelegate.init))
                }
                state.proxy = sink
            }
            return (old, forwarded)
        }
        // The old state is released outside the lock, because the deinit of a retained delegate
        // may use this slot.
        withExtendedLifetime(old) {}
        base.refresh()
    }
}

/// The proxy storages of hosts that do not store their own proxies, keyed by weak references to
/// the hosts.
///
/// Swift does not notify code of another object's deallocation, so the table is regularly searched
/// for deallocated hosts. With n entries, every (n / 16)th use searches it, so the average cost of
/// a use does not depend on the number of hosts.
private enum ForeignHosts {
    private struct Entry: Sendable {
        let owner: WeakObject<AnyObject>
        let storage: ProxyStorage
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        private var usesSinceSweep = 0

        /// Counts a use of the table. Returns whether to search it for deallocated hosts.
        mutating func countUse() -> Bool {
            usesSinceSweep += 1
            guard usesSinceSweep * 16 >= entries.count else { return false }
            usesSinceSweep = 0
            return true
        }
    }

    private static let state = Locked(State())

    static func storage(of host: AnyObject) -> ProxyStorage {
        if state.withLock({ $0.countUse() }) { sweep() }
        return state.withLock { state -> (ProxyStorage, Entry?) in
            // Identifiers are reused, so the entry may be that of a deallocated host.
            if let entry = state.entries[ObjectIdentifier(host)], entry.owner.object === host {
                return (entry.storage, nil)
            }
            let storage = ProxyStorage()
            let old = state.entries.updateValue(
                Entry(owner: WeakObject(host), storage: storage), forKey: ObjectIdentifier(host))
            return (storage, old)
        }.0
    }

    /// Releases the storages of deallocated hosts, which completes their proxies' events.
    static func sweep() {
        let entries = state.withLock { $0.entries }
        // Entries are searched and released outside the lock, because both may run a deinit that
        // uses the table.
        let dead = entries.filter { $0.value.owner.object == nil }
        guard !dead.isEmpty else { return }
        state.withLock { state in
            for (id, entry) in dead where state.entries[id]?.owner === entry.owner {
                state.entries[id] = nil
            }
        }
    }
}

/// A class with a `delegate` property, to which a proxy assigns itself.
///
/// A class of another module adopts it in an extension:
///
///     extension Picker: @retroactive HasDelegate {}
///
/// The conformance is nonisolated, even in a module whose default isolation is the main actor. If
/// the class retains its delegate, the proxy type must return `true` for `retainsPreviousDelegate`.
public protocol HasDelegate: AnyObject, SendableMetatype {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object whose delegate methods the class calls. It is usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasDelegate, Host.Delegate == Delegate {
    /// Returns the host's `delegate`.
    public static func currentDelegate(for host: Host) -> Delegate? {
        host.delegate
    }

    /// Assigns the host's `delegate`.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        host.delegate = delegate
    }
}

/// A `@MainActor` class with a `delegate` property, to which a proxy assigns itself.
///
/// Call `proxy(for:)` and `isInstalled` only on the main actor. On another thread, they stop the
/// program. A proxy that is reassigned when its interests change is reassigned on the main queue.
@MainActor
public protocol HasMainActorDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    /// The object whose delegate methods the class calls. It is usually held weakly.
    var delegate: Delegate? { get set }
}

extension DelegateProxyType where Host: HasMainActorDelegate, Host.Delegate == Delegate {
    /// Returns the host's `delegate`. Stops the program if it is not called on the main actor.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = host.delegate }
        return delegate
    }

    /// Assigns the host's `delegate`. Stops the program if it is not called on the main actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { host.delegate = delegate }
    }
}

/// A proxy of a `@MainActor` class whose delegate property `HasMainActorDelegate` does not describe:
/// a data source, or a property with another name or type.
///
///     nonisolated final class ListSourceProxy: MainActorDelegateProxyType, ListSource {
///         static func mainActorDelegate(for list: List) -> (any ListSource)? { list.source }
///         static func setMainActorDelegate(_ source: (any ListSource)?, for list: List) {
///             list.source = source
///         }
///         …
///     }
///
/// Call `proxy(for:)` and `isInstalled` only on the main actor. On another thread, they stop the
/// program.
public protocol MainActorDelegateProxyType: DelegateProxyType where Host: Sendable {
    /// Returns the object that the host calls as its delegate; `nil` if there is none.
    @MainActor static func mainActorDelegate(for host: Host) -> Delegate?
    /// Assigns the object that the host calls as its delegate.
    @MainActor static func setMainActorDelegate(_ delegate: Delegate?, for host: Host)
}

extension MainActorDelegateProxyType {
    /// Calls `mainActorDelegate(for:)`. Stops the program if it is not called on the main actor.
    public static func currentDelegate(for host: Host) -> Delegate? {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) var delegate: Delegate?
        MainActor.assumeIsolated { delegate = mainActorDelegate(for: host) }
        return delegate
    }

    /// Calls `setMainActorDelegate(_:for:)`. Stops the program if it is not called on the main
    /// actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        // Safety: the delegate is used only on the main actor's thread.
        nonisolated(unsafe) let delegate = delegate
        MainActor.assumeIsolated { setMainActorDelegate(delegate, for: host) }
    }
}

/// A class with several delegates, to which a proxy adds itself as a further delegate.
///
/// The other delegates stay registered and receive each call once. The conformance is nonisolated,
/// even in a module whose default isolation is the main actor.
public protocol HasMulticastDelegate: AnyObject, SendableMetatype {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    func addDelegate(_ delegate: Delegate)
    func removeDelegate(_ delegate: Delegate)
}

extension DelegateProxyType where Host: HasMulticastDelegate, Host.Delegate == Delegate {
    /// Returns the delegate that this proxy type has added to the host; `nil` if it has added none.
    public static func currentDelegate(for host: Host) -> Delegate? {
        ProxyStorage.of(host).entry(for: key).addedDelegate as? Delegate
    }

    /// Adds `delegate` to the host, and removes the delegate that this proxy type added before.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        let entry = ProxyStorage.of(host).entry(for: key)
        if let old = entry.addedDelegate as? Delegate { host.removeDelegate(old) }
        entry.addedDelegate = delegate.map { $0 as AnyObject }
        if let delegate { host.addDelegate(delegate) }
    }
}

/// A `@MainActor` class with several delegates, to which a proxy adds itself as a further delegate.
///
/// Call `proxy(for:)` only on the main actor. On another thread, adding the proxy stops the program.
@MainActor
public protocol HasMainActorMulticastDelegate: AnyObject, Sendable {
    /// The delegate's type, usually `any SomeDelegate`.
    associatedtype Delegate

    func addDelegate(_ delegate: Delegate)
    func removeDelegate(_ delegate: Delegate)
}

extension DelegateProxyType where Host: HasMainActorMulticastDelegate, Host.Delegate == Delegate {
    /// Returns the delegate that this proxy type has added to the host; `nil` if it has added none.
    public static func currentDelegate(for host: Host) -> Delegate? {
        ProxyStorage.of(host).entry(for: key).addedDelegate as? Delegate
    }

    /// Adds `delegate` to the host, and removes the delegate that this proxy type added before.
    /// Stops the program if it is not called on the main actor.
    public static func setCurrentDelegate(_ delegate: Delegate?, for host: Host) {
        let entry = ProxyStorage.of(host).entry(for: key)
        // Safety: the delegates are used only on the main actor's thread.
        nonisolated(unsafe) let old = entry.addedDelegate as? Delegate
        nonisolated(unsafe) let new = delegate
        entry.addedDelegate = delegate.map { $0 as AnyObject }
        MainActor.assumeIsolated {
            if let old { host.removeDelegate(old) }
            if let new { host.addDelegate(new) }
        }
    }
}

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

/// The proxies of one host, and the observers of its controls. Their events complete when the
/// storage is deallocated together with the host.
public final class ProxyStorage: Sendable {
    private let entries = Locked<[ProxyKey: ProxyEntry]>([:])
    /// The functions that complete the observers of the host's controls.
    private let controls = Locked<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Creates a storage for one host.
    public init() {}

    deinit {
        for entry in entries.withLock({ $0 }).values { entry.installed?.complete() }
        for complete in controls.withLock({ $0 }).values { complete() }
    }

    /// Calls `complete` when the host has been deallocated; `nil` removes it.
    func whenReleased(_ observer: ObjectIdentifier, _ complete: (@Sendable () -> Void)?) {
        let old = controls.withLock { exchange(&$0[observer], with: complete) }
        withExtendedLifetime(old) {}
    }

    /// Returns the host's own storage or, if it has none, its storage in the table `ForeignHosts`.
    static func of(_ host: AnyObject) -> ProxyStorage {
        if let host = host as? any DelegateProxyHost { return host.proxyStorage }
        return ForeignHosts.storage(of: host)
    }

    /// Completes the events of deallocated hosts whose classes do not adopt `DelegateProxyHost`.
    ///
    /// This also happens from time to time when a proxy of such a host is requested: each time if
    /// there are at most 16 such hosts, and less often if there are more.
    public static func sweep() {
        ForeignHosts.sweep()
    }

    func entry(for key: ProxyKey) -> ProxyEntry {
        entries.withLock { entries in
            if let entry = entries[key] { return entry }
            let entry = ProxyEntry()
            entries[key] = entry
            return entry
        }
    }
}

/// The proxy of one delegate slot of a host, and the lock that is held while it is installed.
final class ProxyEntry: Sendable {
    struct Installed: Sendable {
        let proxy: any AnyObject & Sendable
        /// Completes the proxy's events.
        let complete: @Sendable () -> Void
        /// Removes the proxy from its slot and assigns it again, so that the host reads the
        /// proxy's interests again; `nil` if that is not necessary.
        let reassign: (@Sendable () -> Void)?
    }

    /// A delegate that the proxy could not replace, because its host wraps every delegate in
    /// another object. The host wrapped it again when it was restored.
    struct Rewrapped: Sendable {
        // Safety: the object is only retained and released.
        nonisolated(unsafe) let delegate: AnyObject
        let wrapper: WeakObject<AnyObject>

        /// Returns `nil` unless `wrapper`, the host's delegate, is another object than `delegate`.
        init?(_ delegate: AnyObject?, in wrapper: AnyObject?) {
            guard let delegate, let wrapper, wrapper !== delegate else { return nil }
            self.delegate = delegate
            self.wrapper = WeakObject(wrapper)
        }
    }

    private struct State {
        var installed: Installed?
        var addedDelegate: WeakObject<AnyObject>?
        var rewrapped: Rewrapped?
        var isAssigning = false
    }

    /// Held while the proxy is created, installed or reassigned. It is recursive, because a host
    /// may call back during that time.
    let lock = RecursiveLock()
    private let state = Locked(State())

    /// The proxy; `nil` until it is created. It is never replaced.
    var installed: Installed? {
        get { state.withLock { $0.installed } }
        set { state.withLock { $0.installed = newValue } }
    }

    /// The delegate that a proxy type has added to a host with several delegates, held weakly.
    var addedDelegate: AnyObject? {
        get { state.withLock { $0.addedDelegate }?.object }
        set { state.withLock { $0.addedDelegate = newValue.map(WeakObject.init) } }
    }

    /// The delegate that the host has wrapped again; `nil` if there is none. It is retained, because
    /// its wrapper may hold it weakly.
    var rewrapped: Rewrapped? {
        get { state.withLock { $0.rewrapped } }
        set {
            let old = state.withLock { exchange(&$0.rewrapped, with: newValue) }
            // The old delegate is released outside the lock, because its deinit may use this entry.
            withExtendedLifetime(old) {}
        }
    }

    /// Runs `assign`, which assigns the proxy to a host that reads the proxy's interests on
    /// assignment. Runs it again if the interests have changed in the meantime.
    ///
    /// The host may call the proxy during the assignment, and that call may cause a nested call of
    /// this method. A nested call runs `assign` once if `isRequired` is `true`, and otherwise does
    /// nothing.
    func assign(
        isRequired: Bool, interests: () -> UInt64, _ assign: () -> Void
    ) {
        lock.withLock {
            if state.withLock({ exchange(&$0.isAssigning, with: true) }) {
                if isRequired { assign() }
                return
            }
            var last: UInt64
            repeat {
                last = interests()
                assign()
            } while interests() != last
            state.withLock { $0.isAssigning = false }
        }
    }
}

/// Identifies a delegate slot of a host by the delegate's type and the slot's name.
struct ProxyKey: Hashable, Sendable {
    let delegate: ObjectIdentifier
    let slot: String
}
