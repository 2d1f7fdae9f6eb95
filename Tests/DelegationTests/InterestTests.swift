// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The interests of delegates and observers that are reported to a host.
@Suite(.timeLimit(.generous), .leavesNothing)
struct InterestTests {
    @Test func `a method that the delegate doesn't implement is wanted while it is observed`() {
        let panel = Panel()
        let stages = Log<String>()
        let mock = Mock(onInvoked: { stages.append("invoking") })
        panel.delegate = mock
        let proxy = PanelProxy.proxy(for: panel)
        var readings = [proxy.panelInterests.contains(.picked)]
        let assignments = panel.assigned.count
        let sent = proxy.picked.sentMessage.observe { stages.append("sent \($0)") }
        readings.append(proxy.panelInterests.contains(.picked))
        let invoked = proxy.picked.methodInvoked.observe { stages.append("invoked \($0)") }
        readings.append(proxy.panelInterests.contains(.picked))
        panel.pick(5)
        sent.dispose()
        readings.append(proxy.panelInterests.contains(.picked))
        invoked.dispose()
        readings.append(proxy.panelInterests.contains(.picked))
        #expect(readings == [false, true, true, true, false])
        #expect(stages.entries == ["sent 5", "invoked 5"] && mock.calls.count == 0)
        // At each of the four changes, the delegate is removed and assigned again.
        #expect(panel.assigned.count == assignments + 8)
        #expect(panel.delegate === proxy)
    }

    @Test func `a host that caches is assigned its proxy again at each first and last observer`() {
        let panel = Panel()
        let mock = Mock()
        let proxy = PanelProxy.proxy(for: panel)
        func log() -> [String] { panel.assigned.map { $0 === proxy ? "proxy" : "nil" } }
        #expect(log() == ["proxy"])
        proxy.setForwardToDelegate(mock)
        #expect(log() == ["proxy", "nil", "proxy"])
        proxy.learned.methodInvoked.observe { _ in }
        #expect(log() == ["proxy", "nil", "proxy", "nil", "proxy"])
        proxy.learned.sentMessage.observe { _ in }
        proxy.learned.sentMessage.observe { _ in }
        #expect(log() == ["proxy", "nil", "proxy", "nil", "proxy", "nil", "proxy"])
        proxy.setForwardToDelegate(nil)
        #expect(log().count == 9)
        #expect(
            panel.seenInterests == [
                [], [.learned, .height], [.learned, .height], [.learned, .height], [.learned],
            ])
    }

    @Test func `a host that stores its proxies is called only if the set has changed`() {
        let manager = Manager()
        let mock = Mock()
        let proxy = ManagerProxy.proxy(for: manager)
        manager.delegate = mock
        let token = proxy.learned.observe { _ in }
        let other = proxy.picked.observe { _ in }
        token.dispose()
        #expect(manager.seenInterests.entries == [[.learned, .height], .all])
        #expect(manager.delegateSlot.sink === proxy)
        other.dispose()
        manager.delegate = nil
        #expect(
            manager.seenInterests.entries == [[.learned, .height], .all, [.learned, .height], []])
    }

    @Test func `the set has only methods that are observed or wanted by a delegate`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        #expect(proxy.panelInterests == [])
        let first = proxy.learned.observe { _ in }
        #expect(proxy.panelInterests == [.learned])
        let second = proxy.picked.values()
        #expect(proxy.panelInterests == [.learned, .picked])
        withExtendedLifetime(second) {}
        first.dispose()
        #expect(!proxy.panelInterests.contains(.learned))
    }

    @Test func `racing changes end with the final set reported to the host`() {
        for _ in 0..<100 {
            let manager = Manager()
            let proxy = ManagerProxy.proxy(for: manager)
            onThreads(4) { thread in
                for _ in 0..<10 {
                    let token = proxy.learned.observe { _ in }
                    let other = proxy.picked.observe { _ in }
                    token.dispose()
                    if thread > 0 { other.dispose() }
                }
            }
            #expect(manager.seenInterests.entries.last == [.picked])
            #expect(proxy.panelInterests == [.picked])
        }
    }

    @Test func `a host that caches has the final set after racing changes`() {
        for _ in 0..<50 {
            let host = CachingHost()
            let mock = Mock()
            host.delegate = mock
            let proxy = CachingProxy.proxy(for: host)
            onThreads(4) { thread in
                for _ in 0..<20 {
                    let token = proxy.learned.observe { _ in }
                    let other = proxy.picked.observe { _ in }
                    token.dispose()
                    if thread > 0 { other.dispose() }
                    _ = CachingProxy.proxy(for: host)
                }
            }
            #expect(proxy.isInstalled && proxy.forwardToDelegate() === mock)
            #expect(host.cached.value == [.picked, .height, .learned])
            proxy.setForwardToDelegate(nil)
            #expect(host.cached.value == [.picked])
        }
    }

    @Test func `a routed host keeps its delegate, even if its proxy asks to be reassigned`() {
        let host = RoutedHost()
        let mock = Mock()
        host.delegateSlot.delegate = mock
        let proxy = RoutedHostProxy.proxy(for: host)
        let token = proxy.learned.observe { _ in }
        #expect(host.delegateSlot.delegate === mock && host.delegateSlot.sink === proxy)
        token.dispose()
        host.delegateSlot.sink?.panel(host, learned: "x")
        #expect(mock.calls.entries == ["x"])
    }

    @Test func `another delegate of a routed host is reassigned`() {
        let host = RoutedHost()
        let proxy = SourceProxy.proxy(for: host)
        #expect(host.sources.count == 1)
        proxy.loaded.observe { _ in }
        #expect(host.sources.count == 3 && host.source === proxy)
    }

    protocol Source: AnyObject { func load(_ text: String) }

    // Safety: each test uses it on one thread only.
    final class RoutedHost: HasRoutedDelegate, @unchecked Sendable {
        let proxyStorage = ProxyStorage()
        let delegateSlot = DelegateSlot<any PanelDelegate>()
        weak var source: (any Source)? {
            didSet { sources.append(source) }
        }
        private(set) var sources: [(any Source)?] = []
    }

    final class SourceProxy: DelegateProxyType, Source {
        let base: DelegateProxy<RoutedHost, any Source>
        let loaded: MethodEvent<String>
        init(_ base: DelegateProxy<RoutedHost, any Source>) {
            self.base = base
            loaded = base.event("loaded")
        }
        static let refreshesByReassigning = true
        static func registerKnownImplementations() { register { SourceProxy($0) } }
        static func currentDelegate(for host: RoutedHost) -> (any Source)? { host.source }
        static func setCurrentDelegate(_ delegate: (any Source)?, for host: RoutedHost) {
            host.source = delegate
        }
        func load(_ text: String) { relay(loaded, text) { $0.load(text) } }
    }

    final class RoutedHostProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<RoutedHost, any PanelDelegate>
        let learned: MethodEvent<String>
        init(_ base: DelegateProxy<RoutedHost, any PanelDelegate>) {
            self.base = base
            learned = base.event("learned")
        }
        static let refreshesByReassigning = true
        static func registerKnownImplementations() { register { RoutedHostProxy($0) } }
        func panel(_ panel: AnyObject, learned text: String) {
            relay(learned, text) { $0.panel(panel, learned: text) }
        }
    }

    @MainActor @Test func `a host of the main actor is reassigned there for any observer`() async {
        let dialog = Dialog()
        let proxy = DialogProxy.proxy(for: dialog)
        let subscription = await Task.detached { proxy.learned.observe { _ in } }.value
        for await interests in dialog.seenInterests where interests.contains(.learned) { break }
        #expect(dialog.delegate === proxy)
        subscription.dispose()
    }

    /// A host of the main actor that reads the interests on assignment.
    @MainActor final class Dialog: HasMainActorDelegate, DelegateProxyHost {
        nonisolated let proxyStorage = ProxyStorage()
        let seenInterests: AsyncStream<PanelInterests>
        private let sink: AsyncStream<PanelInterests>.Continuation
        weak var delegate: (any PanelDelegate)? {
            didSet {
                MainActor.preconditionIsolated()
                sink.yield(delegate?.panelInterests ?? [])
            }
        }
        init() { (seenInterests, sink) = AsyncStream.makeStream() }
    }

    final class DialogProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Dialog, any PanelDelegate>
        let learned: MethodEvent<String>
        init(_ base: DelegateProxy<Dialog, any PanelDelegate>) {
            self.base = base
            learned = base.event("learned", interests: PanelInterests.learned.rawValue)
        }
        static let refreshesByReassigning = true
        static func registerKnownImplementations() { register { DialogProxy($0) } }
        static func interests(of delegate: any PanelDelegate) -> UInt64 {
            delegate.panelInterests.rawValue
        }
        var panelInterests: PanelInterests { PanelInterests(rawValue: base.interests) }
    }

    /// A thread-safe host that reads the interests on assignment.
    final class CachingHost: HasDelegate, DelegateProxyHost, Sendable {
        let proxyStorage = ProxyStorage()
        let slot = DelegateSlot<any PanelDelegate>()
        let cached = Shared<PanelInterests>([])
        var delegate: (any PanelDelegate)? {
            get { slot.sink }
            set {
                slot.delegate = newValue
                cached.value = newValue?.panelInterests ?? []
            }
        }
    }

    final class CachingProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<CachingHost, any PanelDelegate>
        let learned: MethodEvent<String>
        let picked: MethodEvent<Int>
        init(_ base: DelegateProxy<CachingHost, any PanelDelegate>) {
            self.base = base
            learned = base.event("learned", interests: PanelInterests.learned.rawValue)
            picked = base.event("picked", interests: PanelInterests.picked.rawValue)
        }
        static let refreshesByReassigning = true
        static func registerKnownImplementations() { register { CachingProxy($0) } }
        static func interests(of delegate: any PanelDelegate) -> UInt64 {
            delegate.panelInterests.rawValue
        }
        var panelInterests: PanelInterests { PanelInterests(rawValue: base.interests) }
    }
}
