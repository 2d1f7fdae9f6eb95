// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Every slot of every object has exactly one proxy.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ProxyIdentityTests {
    @Test func `the same object has the same proxy`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        #expect(ManagerProxy.proxy(for: manager) === proxy)
        #expect(ManagerProxy.proxy(for: Manager()) !== proxy)
    }

    @Test func `nothing is installed until a proxy is requested`() {
        let panel = Panel()
        #expect(panel.delegate == nil && panel.assigned.isEmpty)
        let proxy = PanelProxy.proxy(for: panel)
        #expect(panel.assigned.count == 1 && panel.delegate === proxy)
    }

    @Test func `two slots of one protocol have two separate proxies`() {
        let pair = Pair()
        let left = LeftProxy.proxy(for: pair)
        let right = RightProxy.proxy(for: pair)
        let log = Log<String>()
        left.picked.observe { log.append("left \($0)") }
        right.picked.observe { log.append("right \($0)") }
        pair.left?.panel(pair, picked: 1)
        pair.right?.panel(pair, picked: 2)
        #expect(log.entries == ["left 1", "right 2"])
    }

    @Test func `a host at a deallocated host's address gets a new proxy`() {
        var seen: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<200 {
            let gadget = Gadget()
            let proxy = GadgetProxy.proxy(for: gadget)
            if !seen.insert(ObjectIdentifier(gadget)).inserted { reused += 1 }
            #expect(proxy.base.host === gadget)
            #expect(!proxy.beeped.hasObservers && !proxy.beeped.sentMessage.isCompleted)
            proxy.beeped.observe { _ in }
        }
        #expect(reused > 0)
    }

    @Test func `racing threads receive the same proxy, which is installed once`() {
        for _ in 0..<1000 {
            let manager = Manager()
            let proxies = Log<ObjectIdentifier>()
            onThreads(8) { _ in
                let proxy = ManagerProxy.proxy(for: manager)
                proxies.append(ObjectIdentifier(proxy))
                if !proxy.isInstalled { proxies.append(ObjectIdentifier(manager)) }
            }
            #expect(Set(proxies.entries).count == 1 && proxies.count == 8)
        }
    }

    final class Pair: DelegateProxyHost {
        let proxyStorage = ProxyStorage()
        weak var left: (any PanelDelegate)?
        weak var right: (any PanelDelegate)?
    }

    final class LeftProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Pair, any PanelDelegate>
        let picked: MethodEvent<Int>
        init(_ base: DelegateProxy<Pair, any PanelDelegate>) {
            self.base = base
            picked = base.event("picked")
        }
        static let slot = "left"
        static func registerKnownImplementations() { register { LeftProxy($0) } }
        static func currentDelegate(for host: Pair) -> (any PanelDelegate)? { host.left }
        static func setCurrentDelegate(_ delegate: (any PanelDelegate)?, for host: Pair) {
            host.left = delegate
        }
        func panel(_ panel: AnyObject, picked index: Int) {
            relay(picked, index) { $0.panel(panel, picked: index) }
        }
    }

    final class RightProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Pair, any PanelDelegate>
        let picked: MethodEvent<Int>
        init(_ base: DelegateProxy<Pair, any PanelDelegate>) {
            self.base = base
            picked = base.event("picked")
        }
        static let slot = "right"
        static func registerKnownImplementations() { register { RightProxy($0) } }
        static func currentDelegate(for host: Pair) -> (any PanelDelegate)? { host.right }
        static func setCurrentDelegate(_ delegate: (any PanelDelegate)?, for host: Pair) {
            host.right = delegate
        }
        func panel(_ panel: AnyObject, picked index: Int) {
            relay(picked, index) { $0.panel(panel, picked: index) }
        }
    }
}
