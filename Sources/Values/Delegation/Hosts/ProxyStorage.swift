// SPDX-License-Identifier: MIT

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
    /// An installed proxy of any type.
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
