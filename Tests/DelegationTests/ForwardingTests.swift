// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The calls that the user's delegate and the observers receive, and their order.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ForwardingTests {
    @Test func `the previous delegate becomes the forward delegate, uncalled`() {
        let panel = Panel()
        let mock = Mock()
        panel.delegate = mock
        let proxy = PanelProxy.proxy(for: panel)
        #expect(mock.calls.count == 0)
        #expect(proxy.forwardToDelegate() === mock)
        #expect(PanelProxy.proxy(for: panel) === proxy)
        #expect(panel.delegate === proxy && proxy.isInstalled)
    }

    @Test func `a routed host's delegate property returns the assigned delegate`() {
        let manager = Manager()
        let mock = Mock()
        manager.delegate = mock
        let proxy = ManagerProxy.proxy(for: manager)
        #expect(mock.calls.count == 0)
        #expect(proxy.forwardToDelegate() === mock)
        #expect(manager.delegate === mock)
        #expect(manager.delegateSlot.sink === proxy)
    }

    @Test func `a call without observers reaches the delegate once`() {
        let panel = Panel()
        let mock = Mock()
        panel.delegate = mock
        let proxy = PanelProxy.proxy(for: panel)
        #expect(mock.calls.count == 0)
        panel.learn("x")
        #expect(mock.calls.entries == ["x"])
        withExtendedLifetime(proxy) {}
    }

    @Test func `observers come before and after the delegate`() {
        let panel = Panel()
        let stages = Log<String>()
        let mock = Mock(onInvoked: { stages.append("invoking") })
        let proxy = PanelProxy.proxy(for: panel)
        proxy.setForwardToDelegate(mock)
        proxy.learned.methodInvoked.observe { _ in stages.append("invoked") }
        proxy.learned.sentMessage.observe { _ in stages.append("sent") }
        #expect(stages.count == 0)
        panel.learn("x")
        #expect(stages.entries == ["sent", "invoking", "invoked"])
        #expect(mock.calls.entries == ["x"])
    }

    @Test func `disposed observers receive nothing, the delegate does`() {
        let panel = Panel()
        let mock = Mock()
        panel.delegate = mock
        let proxy = PanelProxy.proxy(for: panel)
        let messages = Log<String>()
        let tokens = [proxy.learned.sentMessage, proxy.learned.methodInvoked].map { event in
            event.observe { messages.append($0) }
        }
        panel.learn("x")
        #expect(messages.count == 2)
        for token in tokens { token.dispose() }
        panel.learn("y")
        #expect(messages.count == 2)
        #expect(mock.calls.entries == ["x", "y"])
    }

    @Test func `the delegate's result takes precedence over the default`() {
        let panel = Panel()
        let mock = Mock()
        panel.delegate = mock
        #expect(panel.height(at: 0) == 3)
        let proxy = PanelProxy.proxy(for: panel)
        #expect(panel.height(at: 1) == 3)
        #expect(mock.calls.count == 2)
        proxy.setForwardToDelegate(nil)
        #expect(panel.height(at: 2) == 7)
    }

    @Test func `the default result is computed only without a delegate`() {
        let panel = Panel()
        let proxy = PanelProxy.proxy(for: panel)
        let mock = Mock()
        let asked = Log<Int>()
        @Sendable func fallback() -> Double {
            asked.append(1)
            return 5
        }
        func ask() -> Double {
            proxy.relay(proxy.height, 0, default: fallback()) { $0.panel(panel, heightAt: 0) }
        }
        #expect(ask() == 5 && asked.count == 1)
        proxy.setForwardToDelegate(mock)
        #expect(ask() == 3 && asked.count == 1)
    }

    @Test func `a method with a result is observed like others`() {
        let manager = Manager()
        let asked = Log<Int>()
        ManagerProxy.proxy(for: manager).height.observe { asked.append($0) }
        #expect(manager.height(at: 4) == 7)
        #expect(asked.entries == [4])
    }

    @Test func `observing needs no delegate and forwarding no observer`() {
        let manager = Manager()
        let mock = Mock()
        let log = Log<String>()
        let token = ManagerProxy.proxy(for: manager).learned.observe { log.append($0) }
        manager.learn("observed")
        token.dispose()
        manager.delegate = mock
        manager.learn("forwarded")
        #expect(log.entries == ["observed"])
        #expect(mock.calls.entries == ["forwarded"])
    }

    @Test func `required and defaulted methods are both observed`() {
        let manager = Manager()
        let log = Log<String>()
        manager.events.learned.observe { log.append($0) }
        manager.events.picked.observe { log.append("\($0)") }
        manager.learn("a")
        manager.pick(1)
        #expect(log.entries == ["a", "1"])
    }

    @Test func `observing one event of a method leaves the other unobserved`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        proxy.learned.sentMessage.observe { _ in }
        #expect(proxy.learned.sentMessage.hasObservers)
        #expect(!proxy.learned.methodInvoked.hasObservers)
        #expect(proxy.learned.hasObservers && !proxy.picked.hasObservers)
    }

    @Test func `a nil argument arrives as nil and ends no stream`() async {
        let gadget = Gadget()
        let stream = GadgetProxy.proxy(for: gadget).beeped.values()
        for volume in [nil, 3] { gadget.beep(volume) }
        #expect(await collect(2, of: stream) == [nil, 3])
    }
}

/// Ownership and replacement of the user's delegate.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ForwardDelegateTests {
    @Test func `a delegate is held weakly, also with its token`() throws {
        let manager = Manager()
        weak var seen: Mock?
        var mock: Mock? = Mock()
        seen = mock
        let token = try mock.map { try ManagerProxy.setDelegate($0, for: manager) }
        #expect(ManagerProxy.proxy(for: manager).forwardToDelegate() === mock)
        mock = nil
        #expect(seen == nil)
        #expect(manager.delegate == nil)
        #expect(manager.height(at: 0) == 7)
        withExtendedLifetime(token) {}
    }

    @Test func `a retained delegate lives until its token is disposed`() throws {
        let manager = Manager()
        weak var seen: Mock?
        let token: Subscription
        do {
            let mock = Mock()
            seen = mock
            token = try ManagerProxy.installForwardDelegate(
                mock, retainDelegate: true, onProxyFor: manager)
        }
        #expect(seen != nil && manager.delegate === seen)
        token.dispose()
        #expect(seen == nil)
    }

    @Test func `a second installation throws and names the first delegate`() throws {
        let manager = Manager()
        let first = Mock()
        let second = Mock()
        let token = try ManagerProxy.setDelegate(first, for: manager)
        let error = #expect(throws: DelegationError.self) {
            try ManagerProxy.setDelegate(second, for: manager)
        }
        #expect(error?.code == .delegateAlreadySet)
        #expect(error?.description.contains("Mock") == true)
        #expect(manager.delegate === first)
        token.dispose()
        #expect(manager.delegate == nil)
    }

    @Test func `a deallocated delegate does not prevent an installation`() throws {
        let manager = Manager()
        manager.delegate = Mock()
        let mock = Mock()
        _ = try ManagerProxy.setDelegate(mock, for: manager)
        #expect(manager.delegate === mock)
    }

    @Test func `disposing an installation doesn't remove its successor`() throws {
        let manager = Manager()
        let first = Mock()
        let second = Mock()
        let token = try ManagerProxy.setDelegate(first, for: manager)
        manager.delegate = second
        token.dispose()
        #expect(manager.delegate === second)
    }

    @Test func `disposing an installation doesn't undo a later assignment`()
        throws
    {
        let manager = Manager()
        let mock = Mock()
        let token = try ManagerProxy.setDelegate(mock, for: manager)
        manager.delegate = nil
        manager.delegate = mock
        token.dispose()
        #expect(manager.delegate === mock)
    }

    @Test func `a proxy retains the delegate that its host retained`() {
        let owner = Owner()
        weak var seen: Mock?
        do {
            let mock = Mock()
            seen = mock
            owner.delegate = mock
        }
        let proxy = OwnerProxy.proxy(for: owner)
        #expect(seen != nil && proxy.forwardToDelegate() === seen)
        proxy.setForwardToDelegate(nil)
        #expect(seen == nil)
    }

    @Test func `a delegate released during a call finishes the call`() {
        for _ in 0..<1000 {
            let manager = Manager()
            let mock = Shared<Mock?>(Mock())
            manager.delegate = mock.value
            _ = ManagerProxy.proxy(for: manager)
            onThreads(2) { thread in
                if thread == 0 { _ = mock.take() } else { manager.learn("x") }
            }
            #expect(manager.delegate == nil)
        }
    }

    @Test func `a delegate may have any type an object can have`() {
        let object = Everything()
        check(object as any PanelDelegate, is: object)
        check(object as any PanelDelegate & GadgetListener, is: object)
        check(object as any Describing, is: object)
        check(object, is: object)
    }

    @Test func `a delegate that isn't an object stops the program`() async {
        await #expect(processExitsWith: .failure) {
            DelegateProxy<Manager, any Describing>(host: Manager()).setForwardToDelegate(Value())
        }
    }

    @Test func `a proxy ignores delegates that forward calls to it`()
        throws
    {
        let gadget = Gadget()
        let proxy = GadgetProxy.proxy(for: gadget)
        let log = Log<Int?>()
        proxy.beeped.observe { log.append($0) }
        let outer = AssignmentTests.OtherGadgetProxy.proxy(for: gadget)
        let ignored: [any GadgetListener] = [proxy, outer]
        for listener in ignored {
            proxy.addDelegate(listener)
            proxy.setForwardToDelegate(listener)
            let token = try GadgetProxy.setDelegate(listener, for: gadget)
            #expect(token.isDisposed)
        }
        #expect(proxy.forwardToDelegate() == nil)
        gadget.beep(1)
        #expect(log.entries == [1])
    }

    /// Sets, calls and releases a delegate through a slot of type `Delegate`.
    private func check<Delegate>(_ delegate: Delegate, is object: Everything) {
        let manager = Manager()
        let proxy = DelegateProxy<Manager, Delegate>(host: manager)
        let event = proxy.event("any", of: Int.self)
        proxy.setForwardToDelegate(delegate)
        for value in 1...3 {
            proxy.relay(event, value) { #expect($0 as AnyObject === object) }
        }
        #expect(proxy.forwardToDelegate().map { $0 as AnyObject } === object)
    }

    /// A protocol that value types may adopt, too.
    protocol Describing {}
    struct Value: Describing {}
    final class Everything: PanelDelegate, GadgetListener, Describing {
        func gadget(_ gadget: Gadget, beeped volume: Int?) {}
    }

    /// A host that holds its delegate strongly.
    final class Owner: HasDelegate, DelegateProxyHost {
        let proxyStorage = ProxyStorage()
        var delegate: (any PanelDelegate)?
        deinit { delegate = nil }
    }

    final class OwnerProxy: DelegateProxyType, PanelDelegate {
        let base: DelegateProxy<Owner, any PanelDelegate>
        init(_ base: DelegateProxy<Owner, any PanelDelegate>) { self.base = base }
        static let retainsPreviousDelegate = true
        static func registerKnownImplementations() { register { OwnerProxy($0) } }
    }
}

/// Delegates added to a proxy of a host with one delegate.
@Suite(.timeLimit(.generous), .leavesNothing)
struct AdditionalDelegateTests {
    let manager = Manager()
    let stages = Log<String>()
    var proxy: ManagerProxy { .proxy(for: manager) }

    func mock(_ name: String) -> Mock { Mock(onInvoked: { [stages] in stages.append(name) }) }

    @Test func `added delegates are called once each, in order, after the user's delegate`() {
        let mocks = [mock("user"), mock("a"), mock("b")]
        for mock in [mocks[1], mocks[2], mocks[1], mocks[0]] { proxy.addDelegate(mock) }
        manager.delegate = mocks[0]
        proxy.learned.sentMessage.observe { [stages] _ in stages.append("sent") }
        proxy.learned.methodInvoked.observe { [stages] _ in stages.append("invoked") }
        manager.learn("x")
        #expect(stages.entries == ["sent", "user", "a", "b", "invoked"])
    }

    @Test func `added delegates are called until they are removed, even without the user's`() {
        let added = mock("added")
        proxy.addDelegate(added)
        manager.learn("x")
        proxy.removeDelegate(added)
        manager.learn("y")
        #expect(added.calls.entries == ["x"])
        #expect(manager.delegate == nil)
    }

    @Test func `added delegates are not called by methods with a result`() {
        let added = mock("added")
        proxy.addDelegate(added)
        #expect(manager.height(at: 0) == 7)
        #expect(stages.count == 0)
    }

    @Test func `added delegates contribute to the interests`() {
        let added = mock("added")
        proxy.addDelegate(added)
        #expect(proxy.panelInterests == [.learned, .height])
        proxy.removeDelegate(added)
        #expect(proxy.panelInterests == [])
        #expect(manager.seenInterests.entries == [[.learned, .height], []])
    }

    @Test func `added delegates are held weakly`() {
        weak var seen: Mock?
        do {
            let added = mock("added")
            seen = added
            proxy.addDelegate(added)
        }
        #expect(seen == nil)
        manager.learn("x")
        #expect(stages.count == 0)
    }
}
