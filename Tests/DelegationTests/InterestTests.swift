// SPDX-License-Identifier: MIT
import Delegation
import Testing

/// What a host is told about who wants what.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct InterestTests {
    @Test func `a method the delegate leaves out is wanted while it is observed`() {
        let panel = Panel()
        let stages = Log<String>()
        let mock = Mock(onInvoked: { stages.append("invoking") })
        panel.delegate = mock
        let proxy = PanelProxy.proxy(for: panel)
        var readings = [proxy.panelInterests.contains(.picked)]
        let assignments = panel.assigned.count
        let sent = proxy.picked.sentMessage.subscribe { stages.append("sent \($0)") }
        readings.append(proxy.panelInterests.contains(.picked))
        let invoked = proxy.picked.methodInvoked.subscribe { stages.append("invoked \($0)") }
        readings.append(proxy.panelInterests.contains(.picked))
        panel.pick(5)
        sent.dispose()
        readings.append(proxy.panelInterests.contains(.picked))
        invoked.dispose()
        readings.append(proxy.panelInterests.contains(.picked))
        #expect(readings == [false, true, true, true, false])
        #expect(stages.entries == ["sent 5", "invoked 5"] && mock.calls.count == 0)
        // Taken out and put back at each of the four edges.
        #expect(panel.assigned.count == assignments + 8)
        #expect(panel.delegate === proxy)
    }

    @Test func `a host that caches is assigned its proxy again at each edge`() {
        let panel = Panel()
        let mock = Mock()
        let proxy = PanelProxy.proxy(for: panel)
        func log() -> [String] { panel.assigned.map { $0 === proxy ? "proxy" : "nil" } }
        #expect(log() == ["proxy"])
        proxy.setForwardToDelegate(mock)
        #expect(log() == ["proxy", "nil", "proxy"])
        proxy.learned.methodInvoked.subscribe { _ in }
        #expect(log() == ["proxy", "nil", "proxy", "nil", "proxy"])
        proxy.learned.sentMessage.subscribe { _ in }
        proxy.learned.sentMessage.subscribe { _ in }
        #expect(log() == ["proxy", "nil", "proxy", "nil", "proxy", "nil", "proxy"])
        proxy.setForwardToDelegate(nil)
        #expect(log().count == 9)
        #expect(
            panel.seenInterests == [
                [], [.learned, .height], [.learned, .height], [.learned, .height], [.learned],
            ])
    }

    @Test func `a host of ours is told only when the set has changed`() {
        let manager = Manager()
        let mock = Mock()
        let proxy = ManagerProxy.proxy(for: manager)
        manager.delegate = mock
        let token = proxy.learned.subscribe { _ in }
        let other = proxy.picked.subscribe { _ in }
        token.dispose()
        #expect(manager.seenInterests.entries == [[.learned, .height], .all])
        #expect(manager.delegateSlot.sink === proxy)
        other.dispose()
        manager.delegate = nil
        #expect(
            manager.seenInterests.entries == [[.learned, .height], .all, [.learned, .height], []])
    }

    @Test func `only what somebody wants is in the set`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        #expect(proxy.panelInterests == [])
        let first = proxy.learned.subscribe { _ in }
        #expect(proxy.panelInterests == [.learned])
        let second = proxy.picked.values()
        #expect(proxy.panelInterests == [.learned, .picked])
        withExtendedLifetime(second) {}
        first.dispose()
        #expect(!proxy.panelInterests.contains(.learned))
    }

    @Test func `edges that race leave the host with the set as it is`() {
        for _ in 0..<100 {
            let manager = Manager()
            let proxy = ManagerProxy.proxy(for: manager)
            onThreads(4) { thread in
                for _ in 0..<10 {
                    let token = proxy.learned.subscribe { _ in }
                    let other = proxy.picked.subscribe { _ in }
                    token.dispose()
                    if thread > 0 { other.dispose() }
                }
            }
            #expect(manager.seenInterests.entries.last == [.picked])
            #expect(proxy.panelInterests == [.picked])
        }
    }

    @Test func `a panel is bounced by several threads without losing its delegate`() {
        let gate = BouncedHost()
        let mock = Mock()
        gate.delegate = mock
        let proxy = BouncedProxy.proxy(for: gate)
        onThreads(4) { _ in
            for _ in 0..<200 {
                proxy.picked.subscribe { _ in }.dispose()
                _ = BouncedProxy.proxy(for: gate)
            }
        }
        #expect(proxy.isInstalled && proxy.forwardToDelegate() === mock)
    }

    /// A host that caches and that several threads may use.
    final class BouncedHost: HasDelegate, DelegateProxyHost, Sendable {
        let proxyStorage = ProxyStorage()
        let slot = DelegateSlot<any PanelDelegate>()
        var delegate: (any PanelDelegate)? {
            get { slot.sink }
            set { slot.delegate = newValue }
        }
    }

    final class BouncedProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<BouncedHost, any PanelDelegate>
        let picked: MethodEvent<Int>
        init(_ base: DelegateProxy<BouncedHost, any PanelDelegate>) {
            self.base = base
            picked = base.event("picked")
        }
        static let refreshesByReassigning = true
        static func registerKnownImplementations() { register { BouncedProxy($0) } }
    }
}
