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
