// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The proxy type of a host, by its class.
@Suite(.timeLimit(.generous), .leavesNothing)
struct RegistrationTests {
    @Test func `a subclass gets the proxy registered for it`() {
        let table = Table()
        let scroll = Scroll()
        #expect(ScrollProxy.proxy(for: table) is TableProxy)
        #expect(!(ScrollProxy.proxy(for: scroll) is TableProxy))
        #expect(TableProxy.proxy(for: table) === ScrollProxy.proxy(for: table))
    }

    @Test func `a refined protocol's proxy has both protocols' events`() {
        let table = Table()
        let proxy = TableProxy.proxy(for: table)
        let listener = TableListener()
        let log = Log<String>()
        proxy.setForwardToDelegate(listener)
        proxy.didScroll.observe { log.append("scroll \($0)") }
        proxy.picked.observe { log.append("pick \($0)") }
        table.scroll(to: 4)
        table.pick(2)
        #expect(log.entries == ["scroll 4", "pick 2"])
        #expect(listener.calls == ["scroll 4", "pick 2"])
    }

    @Test func `a class registered late gets its proxy, subclasses too`() {
        let before = LoudTool()
        #expect(type(of: ToolProxy.proxy(for: before)) == ToolProxy.self)
        ToolProxy.register(for: LoudTool.self) { LoudToolProxy($0) }
        #expect(type(of: ToolProxy.proxy(for: before)) == ToolProxy.self)
        #expect(ToolProxy.proxy(for: LoudTool()) is LoudToolProxy)
        #expect(ToolProxy.proxy(for: LouderTool()) is LoudToolProxy)
        #expect(type(of: ToolProxy.proxy(for: Tool())) == ToolProxy.self)
    }

    @Test func `registering a leaf class doesn't affect its superclass`() {
        PlainProxy.register(for: LeafPlain.self) { LeafPlainProxy($0) }
        #expect(PlainProxy.proxy(for: LeafPlain()) is LeafPlainProxy)
        #expect(type(of: PlainProxy.proxy(for: MiddlePlain())) == PlainProxy.self)
    }

    @Test func `a missing proxy's error names the host's class`() {
        let error = #expect(throws: DelegationError.self) {
            try OrphanProxy.installedProxy(for: Orphan())
        }
        #expect(error?.code == .noFactory)
        #expect(error?.context.contains("Orphan") == true)
    }

    @Test func `another proxy type than the registered one is refused by name`() {
        let error = #expect(throws: DelegationError.self) {
            try TableProxy.installedProxy(for: Scroll())
        }
        #expect(error?.code == .noFactory)
        #expect(error?.context.contains("ScrollProxy") == true)
    }

    @Test func `registering a class twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            PanelProxy.register { PanelProxy($0) }
        }
    }

    @Test func `proxy(for:) stops the program if no proxy is registered`() async {
        await #expect(processExitsWith: .failure) {
            _ = OrphanProxy.proxy(for: Orphan())
        }
    }

    @Test func `racing threads register a proxy type once, completely`() {
        checkFreshType(tagged: Int.self, rounds: 100)
        let registrations = freshRegistrations.entries
        #expect(registrations.count == 100 && Set(registrations).count == 100)
    }

    /// Checks `rounds` unused proxy types, each with its own tag.
    private func checkFreshType<Tag>(tagged tag: Tag.Type, rounds: Int) {
        guard rounds > 0 else { return }
        let incomplete = Log<Int>()
        onThreads(8) { thread in
            if !(FreshProxy<Tag>.proxy(for: FreshTable<Tag>()) is FreshTableProxy<Tag>) {
                incomplete.append(thread)
            }
        }
        #expect(incomplete.count == 0)
        checkFreshType(tagged: [Tag].self, rounds: rounds - 1)
    }

    final class TableListener: TableDelegate {
        var calls: [String] = []
        func scroll(_ scroll: Scroll, didScrollTo offset: Int) { calls.append("scroll \(offset)") }
        func table(_ table: Table, picked row: Int) { calls.append("pick \(row)") }
    }
}

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

    @Test func `racing threads receive the same proxy`() {
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

/// A host with `addDelegate` and `removeDelegate` and no `delegate` property.
@Suite(.timeLimit(.generous), .leavesNothing)
struct MulticastHostTests {
    @Test func `the proxy is one more delegate, in order`() {
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

    @Test func `the proxy is added once`() {
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

    @Test func `a proxy added again passes on the current state`() {
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

    @MainActor @Test func `a main-actor host has the proxy as one more delegate`() {
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
