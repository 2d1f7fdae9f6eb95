// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// A host with `addDelegate` and `removeDelegate` and no `delegate` property.
@Suite(.timeLimit(.generous), .leavesNothing)
struct MulticastHostTests {
    @Test func `the proxy is one more delegate, in the order of adding`() {
        let board = Switchboard()
        let stages = Log<String>()
        let first = Mock(onInvoked: { stages.append("first") })
        let last = Mock(onInvoked: { stages.append("last") })
        board.addDelegate(first)
        let proxy = SwitchboardProxy.proxy(for: board)
        proxy.learned.observe { _ in stages.append("observer") }
        board.addDelegate(last)
        board.addDelegate(first)
        board.learn("x")
        #expect(stages.entries == ["first", "observer", "last"])
        #expect(proxy.forwardToDelegate() == nil && proxy.isInstalled)
    }

    @Test func `the proxy is added once, however often it is requested`() {
        let board = Switchboard()
        let log = Log<Int>()
        for _ in 0..<3 { SwitchboardProxy.proxy(for: board).picked.observe { log.append($0) } }
        #expect(board.count == 1)
        board.pick(1)
        #expect(log.entries == [1, 1, 1])
    }

    @Test func `observers coming and going don't change the order`() {
        let board = Switchboard()
        let stages = Log<String>()
        let proxy = SwitchboardProxy.proxy(for: board)
        let mock = Mock(onInvoked: { stages.append("delegate") })
        board.addDelegate(mock)
        proxy.learned.observe { _ in }.dispose()
        proxy.learned.observe { _ in stages.append("observer") }
        board.learn("x")
        #expect(stages.entries == ["observer", "delegate"])
    }

    @Test func `a forward delegate may be installed`() throws {
        let board = Switchboard()
        let mock = Mock()
        let token = try SwitchboardProxy.setDelegate(mock, for: board)
        board.learn("x")
        token.dispose()
        board.learn("y")
        #expect(mock.calls.entries == ["x"])
    }

    @Test func `a deallocated delegate is removed`() {
        let board = Switchboard()
        do { board.addDelegate(Mock()) }
        #expect(board.count == 0)
        _ = SwitchboardProxy.proxy(for: board)
        #expect(board.count == 1)
    }

    @Test func `a proxy that is added again at its first observer passes on the current state`() {
        let meter = Meter(reading: 7)
        let log = Log<Int>()
        let subscription = MeterProxy.proxy(for: meter).picked.observe { log.append($0) }
        #expect(log.entries == [7])
        meter.show(8)
        MeterProxy.proxy(for: meter).picked.observe { log.append($0) }
        meter.show(9)
        #expect(log.entries == [7, 8, 9, 9])
        subscription.dispose()
    }

    @Test func `a call during an assignment may change the proxy`() {
        let meter = Meter(reading: 7)
        let log = Log<Int>()
        let proxy = MeterProxy.proxy(for: meter)
        proxy.picked.observe { [weak proxy] in
            log.append($0)
            proxy?.setForwardToDelegate(nil)
        }
        #expect(log.entries == [7])
        meter.show(8)
        // The change after each call reports the current state again, once.
        #expect(log.entries == [7, 8, 8])
    }

    @MainActor @Test func `a host of the main actor has the proxy as one more delegate`() {
        let bell = Bell()
        let visitor = Visitor()
        let log = Log<Int>()
        bell.addDelegate(visitor)
        for _ in 0..<2 { BellProxy.proxy(for: bell).didRing.observe { log.append($0) } }
        bell.ring(3)
        #expect(visitor.rings == [3])
        #expect(log.entries == [3, 3])
        #expect(BellProxy.proxy(for: bell).isInstalled)
    }
}

/// A host that calls each new delegate at once with its current state.
private final class Meter: HasMulticastDelegate, DelegateProxyHost, Sendable {
    let proxyStorage = ProxyStorage()
    private let delegates = MulticastDelegate<any PanelDelegate>()
    private let reading: Locked<Int>

    init(reading: Int) { self.reading = Locked(reading) }

    func addDelegate(_ delegate: any PanelDelegate) {
        delegates.add(delegate)
        delegate.panel(self, picked: reading.withLock { $0 })
    }
    func removeDelegate(_ delegate: any PanelDelegate) { delegates.remove(delegate) }
    func show(_ reading: Int) {
        self.reading.withLock { $0 = reading }
        delegates.forEach { $0.panel(self, picked: reading) }
    }
}

private final class MeterProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<Meter, any PanelDelegate>
    let picked: MethodEvent<Int>

    static let refreshesByReassigning = true

    init(_ base: DelegateProxy<Meter, any PanelDelegate>) {
        self.base = base
        picked = base.event("picked")
    }

    static func registerKnownImplementations() { register { MeterProxy($0) } }

    func panel(_ panel: AnyObject, picked index: Int) {
        relay(picked, index) { $0.panel(panel, picked: index) }
    }
}

/// A delegate of the main actor.
@MainActor protocol BellDelegate: AnyObject {
    func bell(_ bell: Bell, didRing times: Int)
}

/// A host of the main actor with several delegates.
@MainActor final class Bell: HasMainActorMulticastDelegate, DelegateProxyHost {
    nonisolated let proxyStorage = ProxyStorage()
    private let delegates = MulticastDelegate<any BellDelegate>()

    func addDelegate(_ delegate: any BellDelegate) { delegates.add(delegate) }
    func removeDelegate(_ delegate: any BellDelegate) { delegates.remove(delegate) }
    func ring(_ times: Int) { delegates.forEach { $0.bell(self, didRing: times) } }
}

nonisolated final class BellProxy: DelegateProxyType, BellDelegate {
    let base: DelegateProxy<Bell, any BellDelegate>
    let didRing: MethodEvent<Int>

    init(_ base: DelegateProxy<Bell, any BellDelegate>) {
        self.base = base
        didRing = base.event("didRing")
    }

    static func registerKnownImplementations() { register { BellProxy($0) } }

    @MainActor func bell(_ bell: Bell, didRing times: Int) {
        relay(didRing, times) { $0.bell(bell, didRing: times) }
    }
}

@MainActor private final class Visitor: BellDelegate {
    private(set) var rings: [Int] = []

    func bell(_ bell: Bell, didRing times: Int) { rings.append(times) }
}
