// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The calls that the user's delegate and the observers receive, and their order.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ForwardingTests {
    @Test func `the previous delegate becomes the forward delegate and isn't called`() {
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

    @Test func `disposed observers receive nothing, the delegate still receives calls`() {
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

    @Test func `a method that returns a value is observed like any other`() {
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

    @Test func `observing one event of a method doesn't make the other look observed`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        proxy.learned.sentMessage.observe { _ in }
        #expect(proxy.learned.sentMessage.hasObservers)
        #expect(!proxy.learned.methodInvoked.hasObservers)
        #expect(proxy.learned.hasObservers && !proxy.picked.hasObservers)
    }

    @Test func `an argument that is nil arrives as nil and the stream stays alive`() async {
        let gadget = Gadget()
        let stream = GadgetProxy.proxy(for: gadget).beeped.values()
        for volume in [nil, 3] { gadget.beep(volume) }
        #expect(await collect(2, of: stream) == [nil, 3])
    }
}
