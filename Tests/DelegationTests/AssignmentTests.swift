// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Glibc
import Testing

/// The order of assigning a delegate and subscribing doesn't matter, and no call is lost.
@Suite(.timeLimit(.generous), .leavesNothing)
struct AssignmentTests {
    enum Step: CaseIterable { case assign, subscribe, stream, replace, setAgain }

    /// Every order of the steps.
    static let orders: [[Step]] = permutations(Step.allCases)

    static func permutations(_ steps: [Step]) -> [[Step]] {
        guard !steps.isEmpty else { return [[]] }
        return steps.flatMap { first in
            permutations(steps.filter { $0 != first }).map { [first] + $0 }
        }
    }

    @Test func `delegate and observers receive each call once, in any order of attaching`()
        async throws
    {
        for order in Self.orders {
            let manager = Manager()
            let first = Mock()
            let second = Mock()
            let log = Log<String>()
            var stream: EventStream<String>?
            var expected: (delegate: [String], observer: [String], stream: [String]) = ([], [], [])
            var attached: (first: Bool, second: Bool, observer: Bool) = (false, false, false)
            for (index, step) in order.enumerated() {
                switch step {
                case .assign:
                    manager.delegate = first
                    attached = (true, false, attached.observer)
                case .replace:
                    manager.delegate = second
                    attached = (false, true, attached.observer)
                case .setAgain:
                    manager.delegate = nil
                    _ = try ManagerProxy.setDelegate(first, for: manager)
                    attached = (true, false, attached.observer)
                case .subscribe:
                    manager.events.learned.observe { log.append($0) }
                    attached.observer = true
                case .stream:
                    stream = manager.events.learned.values()
                }
                let text = "\(index)"
                manager.learn(text)
                if attached.first || attached.second { expected.delegate.append(text) }
                if attached.observer { expected.observer.append(text) }
                if stream != nil { expected.stream.append(text) }
            }
            #expect((first.calls.entries + second.calls.entries).sorted() == expected.delegate)
            #expect(log.entries == expected.observer)
            let seen = try #require(stream)
            #expect(await collect(expected.stream.count, of: seen) == expected.stream)
        }
    }

    @Test func `assignment returns the assigned delegate and keeps observers`() {
        let manager = Manager()
        let mock = Mock()
        let log = Log<String>()
        manager.events.learned.observe { log.append($0) }
        manager.delegate = mock
        #expect(manager.delegate === mock)
        manager.learn("both")
        manager.delegate = nil
        #expect(manager.delegate == nil)
        manager.learn("observer")
        #expect(log.entries == ["both", "observer"])
        #expect(mock.calls.entries == ["both"])
    }

    @Test func `assigning a host its own proxy has no effect`() {
        let manager = Manager()
        let mock = Mock()
        manager.delegate = mock
        manager.delegate = ManagerProxy.proxy(for: manager)
        #expect(manager.delegate === mock)
        manager.learn("x")
        #expect(mock.calls.entries == ["x"])
    }

    @Test func `a delegate assigned during the installation isn't lost`() {
        for _ in 0..<2_000 {
            let manager = Manager()
            let mock = Mock()
            onThreads(2) { thread in
                if thread == 0 { manager.delegate = mock } else { _ = manager.events.learned }
            }
            manager.learn("x")
            #expect(manager.delegate === mock && mock.calls.entries == ["x"])
        }
    }

    @Test func `assigning and subscribing in either order reaches both once`() throws {
        for subscribesFirst in [true, false] {
            let manager = Manager()
            let mock = Mock()
            let log = Log<String>()
            if subscribesFirst { manager.events.learned.observe { log.append($0) } }
            let token = try ManagerProxy.setDelegate(mock, for: manager)
            if !subscribesFirst { manager.events.learned.observe { log.append($0) } }
            manager.learn("x")
            #expect(log.entries == ["x"] && mock.calls.entries == ["x"])
            token.dispose()
        }
    }

    @Test func `a foreign host's next use reinstalls a replaced proxy`() {
        let gadget = Gadget()
        let proxy = GadgetProxy.proxy(for: gadget)
        let listener = Listener()
        let log = Log<Int?>()
        proxy.beeped.observe { log.append($0) }
        gadget.listener = listener
        #expect(!proxy.isInstalled)
        gadget.beep(1)
        #expect(log.count == 0 && listener.volumes == [1])
        #expect(GadgetProxy.proxy(for: gadget) === proxy)
        #expect(proxy.isInstalled && proxy.forwardToDelegate() === listener)
        gadget.beep(2)
        #expect(log.entries == [2] && listener.volumes == [1, 2])
    }

    @Test func `two proxy types of one property both receive each call once`() {
        let gadget = Gadget()
        let listener = Listener()
        let log = Log<String>()
        gadget.listener = listener
        GadgetProxy.proxy(for: gadget).beeped.observe { log.append("first \($0 ?? 0)") }
        OtherGadgetProxy.proxy(for: gadget).beeped.observe { log.append("second \($0 ?? 0)") }
        // The first is requested again, and stays the delegate of the second.
        #expect(GadgetProxy.proxy(for: gadget).isInstalled)
        #expect(OtherGadgetProxy.proxy(for: gadget).isInstalled)
        gadget.beep(1)
        #expect(log.entries == ["second 1", "first 1"] && listener.volumes == [1])
    }

    @Test func `two proxy types of a routed host keep its delegate`() {
        let manager = Manager()
        let (first, second) = (Mock(), Mock())
        let log = Log<String>()
        manager.delegate = first
        manager.events.learned.observe { log.append("own \($0)") }
        let other = OtherManagerProxy.proxy(for: manager)
        other.learned.observe { log.append("other \($0)") }
        #expect(manager.delegate === first)
        manager.learn("1")
        manager.delegate = second
        manager.learn("2")
        #expect(first.calls.entries == ["1"] && second.calls.entries == ["2"])
        #expect(log.entries == ["other 1", "own 1", "other 2", "own 2"])
        #expect(ManagerProxy.proxy(for: manager).isInstalled && other.isInstalled)
        // None of its proxies becomes the delegate, or forwards calls to itself.
        manager.delegate = ManagerProxy.proxy(for: manager)
        manager.delegate = other
        ManagerProxy.setCurrentDelegate(ManagerProxy.proxy(for: manager), for: manager)
        OtherManagerProxy.setCurrentDelegate(other, for: manager)
        #expect(manager.delegate === second)
        manager.learn("3")
        #expect(log.entries.suffix(2) == ["other 3", "own 3"])
        #expect(second.calls.entries == ["2", "3"])
    }

    @Test func `two racing proxy types of a routed host receive its calls`() {
        for _ in 0..<500 {
            let manager = Manager()
            let mock = Mock()
            let log = Log<String>()
            manager.delegate = mock
            onThreads(2) { thread in
                if thread == 0 {
                    manager.events.learned.observe { log.append("own \($0)") }
                } else {
                    OtherManagerProxy.proxy(for: manager).learned
                        .observe { log.append("other \($0)") }
                }
            }
            manager.learn("x")
            #expect(log.entries.sorted() == ["other x", "own x"])
            #expect(manager.delegate === mock && mock.calls.entries == ["x"])
        }
    }

    @Test func `a host that refuses a proxy is reported and keeps its delegate`() {
        let wrapper = Wrapper()
        let mock = Mock()
        wrapper.delegate = mock
        let error = #expect(throws: DelegationError.self) {
            try WrapperProxy.installedProxy(for: wrapper)
        }
        #expect(error?.code == .slotNotHonoured)
        #expect(wrapper.assigned === mock)
        #expect(!WrapperProxy.proxy(for: wrapper).isInstalled)
    }

    @Test func `a host that wraps delegates keeps its previous one`() {
        let host = WrappingHost()
        for text in ["first", "second"] {
            let mock = Mock()
            host.delegate = mock
            let count = host.assignments
            // Each use of the proxy after the first one leaves the host as it is.
            for _ in 0..<3 { #expect(!WrappingHostProxy.proxy(for: host).isInstalled) }
            #expect(host.assignments == count + 2)
            host.learn(text)
            #expect(mock.calls.entries == [text])
        }
    }

    final class Listener: GadgetListener {
        var volumes: [Int?] = []
        func gadget(_ gadget: Gadget, beeped volume: Int?) { volumes.append(volume) }
    }

    /// A second proxy type for a gadget's listener, as another module may have.
    final class OtherGadgetProxy: DelegateProxyType, GadgetListener {
        let base: DelegateProxy<Gadget, any GadgetListener>
        let beeped: MethodEvent<Int?>

        init(_ base: DelegateProxy<Gadget, any GadgetListener>) {
            self.base = base
            beeped = base.event("beeped")
        }

        static let slot = "the other module's"
        static func registerKnownImplementations() { register { OtherGadgetProxy($0) } }
        static func currentDelegate(for host: Gadget) -> (any GadgetListener)? { host.listener }
        static func setCurrentDelegate(_ delegate: (any GadgetListener)?, for host: Gadget) {
            host.listener = delegate
        }

        func gadget(_ gadget: Gadget, beeped volume: Int?) {
            relay(beeped, volume) { $0.gadget(gadget, beeped: volume) }
        }
    }

    /// A second proxy type for a manager's delegate.
    final class OtherManagerProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Manager, any PanelDelegate>
        let learned: MethodEvent<String>

        init(_ base: DelegateProxy<Manager, any PanelDelegate>) {
            self.base = base
            learned = base.event("learned")
        }

        static let slot = "the other module's"
        static func registerKnownImplementations() { register { OtherManagerProxy($0) } }

        func panel(_ panel: AnyObject, learned text: String) {
            relay(learned, text) { $0.panel(panel, learned: text) }
        }
    }

    /// A host whose getter doesn't return the assigned delegate.
    final class Wrapper: HasDelegate, DelegateProxyHost {
        let proxyStorage = ProxyStorage()
        weak var assigned: (any PanelDelegate)?
        let other = Mock()
        var delegate: (any PanelDelegate)? {
            get { assigned is Mock ? assigned : other }
            set { assigned = newValue }
        }
    }

    final class WrapperProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Wrapper, any PanelDelegate>
        init(_ base: DelegateProxy<Wrapper, any PanelDelegate>) { self.base = base }
        static func registerKnownImplementations() { register { WrapperProxy($0) } }
    }

    /// A host that wraps each delegate in an object that holds it weakly.
    final class WrappingHost: HasDelegate, DelegateProxyHost {
        let proxyStorage = ProxyStorage()
        private(set) var assignments = 0
        private var wrapper: DelegateWrapper?
        var delegate: (any PanelDelegate)? {
            get { wrapper }
            set {
                assignments += 1
                wrapper = newValue.map { DelegateWrapper($0) }
            }
        }

        func learn(_ text: String) { wrapper?.panel(self, learned: text) }
    }

    final class DelegateWrapper: PanelDelegate {
        weak var wrapped: (any PanelDelegate)?
        init(_ wrapped: any PanelDelegate) { self.wrapped = wrapped }
        func panel(_ panel: AnyObject, learned text: String) {
            wrapped?.panel(panel, learned: text)
        }
    }

    final class WrappingHostProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<WrappingHost, any PanelDelegate>
        init(_ base: DelegateProxy<WrappingHost, any PanelDelegate>) { self.base = base }
        static func registerKnownImplementations() { register { WrappingHostProxy($0) } }
    }

    @Test func `a delegate removed during the installation isn't called`() {
        // Its interests are read after the proxy received it and before the proxy is installed.
        final class Leaving: PanelDelegate, Sendable {
            let manager: Manager
            let calls = Log<Int>()
            init(_ manager: Manager) { self.manager = manager }

            var panelInterests: PanelInterests {
                manager.delegate = nil
                return .all
            }
            func panel(_ panel: AnyObject, picked index: Int) { calls.append(index) }
        }
        let manager = Manager()
        let delegate = Leaving(manager)
        manager.delegate = delegate
        let proxy = ManagerProxy.proxy(for: manager)
        manager.pick(1)
        #expect(manager.delegate == nil && proxy.forwardToDelegate() == nil)
        #expect(delegate.calls.count == 0)
    }

    @Test func `a delegate set to nil during the installation stays nil`() {
        for _ in 0..<1000 {
            let manager = Manager()
            let mock = Mock()
            manager.delegate = mock
            onThreads(2) { thread in
                if thread == 0 { manager.delegate = nil } else { _ = manager.events.picked }
            }
            manager.learn("x")
            #expect(manager.delegate == nil && mock.calls.count == 0)
        }
    }
}

/// Events complete with their host; those of a foreign host complete at the next sweep.
@Suite(.timeLimit(.generous), .leavesNothing)
struct CompletionTests {
    @Test func `both events of a method complete with the host`() {
        var panel: Panel? = Panel()
        weak let seen = panel
        let log = Log<String>()
        if let panel {
            let proxy = PanelProxy.proxy(for: panel)
            proxy.picked.sentMessage.observe(
                { log.append("sent \($0)") }, onCompletion: { log.append("done") })
            proxy.picked.methodInvoked.observe(
                { log.append("invoked \($0)") }, onCompletion: { log.append("done") })
        }
        panel?.pick(1)
        #expect(log.entries == ["sent 1", "invoked 1"])
        panel = nil
        #expect(seen == nil)
        #expect(log.entries == ["sent 1", "invoked 1", "done", "done"])
    }

    @Test func `events complete although the proxy is held`() {
        var manager: Manager? = Manager()
        let log = Log<String>()
        let proxy = manager.map { ManagerProxy.proxy(for: $0) }
        proxy?.picked.observe({ _ in }, onCompletion: { log.append("done") })
        proxy?.height.methodInvoked.observe({ _ in }, onCompletion: { log.append("done") })
        #expect(log.count == 0)
        manager = nil
        #expect(log.entries == ["done", "done"])
        #expect(proxy?.base.host == nil && proxy?.isInstalled == false)
    }

    @Test func `proxies, observers and streams don't retain the host`() {
        var manager: Manager? = Manager()
        weak let seen = manager
        let proxy = manager.map { ManagerProxy.proxy(for: $0) }
        let token = manager?.events.learned.observe { _ in }
        let stream = manager?.events.picked.values()
        manager = nil
        #expect(seen == nil)
        withExtendedLifetime((proxy, token, stream)) {}
    }

    @Test func `an observer may release the last reference to the host`() {
        let manager = Shared<Manager?>(Manager())
        let log = Log<String>()
        manager.value?.events.learned.observe(
            { text in
                _ = manager.take()
                log.append(text)
            }, onCompletion: { log.append("done") })
        manager.value?.learn("last")
        #expect(log.entries == ["last", "done"])
    }

    @Test func `a loop over an event ends with the host`() async {
        var manager: Manager? = Manager()
        let stream = manager?.events.picked.values()
        manager?.pick(1)
        manager = nil
        if let stream { #expect(await collect(stream) == [1]) }
    }

    @Test func `a foreign host's events complete at the next sweep`() async {
        let log = Log<String>()
        do {
            let gadget = Gadget()
            GadgetProxy.proxy(for: gadget).beeped.observe(
                { _ in }, onCompletion: { log.append("done") })
        }
        ProxyStorage.sweep()
        // Another test's sweep may be releasing it.
        while log.entries.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(log.entries == ["done"])
    }

    @Test func `a foreign host's events complete no earlier, and any use sweeps`() async {
        // In its own process, since other tests sweep, too.
        await #expect(processExitsWith: .exitCode(0)) {
            let log = Log<String>()
            do {
                let gadget = Gadget()
                GadgetProxy.proxy(for: gadget).beeped.observe(
                    { _ in }, onCompletion: { log.append("done") })
            }
            let before = log.count
            _ = GadgetProxy.proxy(for: Gadget())
            exit(before == 0 && log.count == 1 ? 0 : 1)
        }
    }

    @Test func `with 1600 foreign hosts, one of 100 uses sweeps`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let log = Log<Int>()
            let kept = Gadget()
            do {
                let gadgets = (0..<1600).map { _ in Gadget() }
                for (index, gadget) in gadgets.enumerated() {
                    GadgetProxy.proxy(for: gadget).beeped.observe(
                        { _ in }, onCompletion: { log.append(index) })
                }
            }
            for _ in 0...100 { _ = GadgetProxy.proxy(for: kept) }
            exit(log.count == 1600 ? 0 : 1)
        }
    }

    @Test func `an event created after completion completes at once`() {
        let base: DelegateProxy<Manager, any PanelDelegate>
        do { base = DelegateProxy(host: Manager()) }
        base.complete()
        let log = Log<String>()
        base.event("late", of: Int.self).observe({ _ in }, onCompletion: { log.append("done") })
        #expect(log.entries == ["done"])
    }
}
