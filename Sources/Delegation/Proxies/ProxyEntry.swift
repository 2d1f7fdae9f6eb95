// SPDX-License-Identifier: MIT

/// One slot of one host: its proxy, once there is one, and the lock that installing it takes.
final class ProxyEntry: Sendable {
    /// What is kept of a proxy.
    struct Installed: Sendable {
        let proxy: any AnyObject & Sendable
        /// Completes the proxy's events.
        let complete: @Sendable () -> Void
        /// Takes the proxy out of its slot and puts it back, for a host that caches.
        let reassign: (@Sendable () -> Void)?
    }

    /// Held while the proxy is made, installed or reassigned. Recursive, for hosts call back.
    let lock = RecursiveLock()
    private let content = Locked<Installed?>(nil)
    private let added = Locked<WeakObject?>(nil)

    var installed: Installed? {
        get { content.withLock { $0 } }
        set { _ = content.exchange(newValue) }
    }

    /// What has been added to a host with several delegates.
    var registered: AnyObject? {
        get { added.withLock { $0 }?.object }
        set { _ = added.exchange(newValue.map(WeakObject.init)) }
    }
}
