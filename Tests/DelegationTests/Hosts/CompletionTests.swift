// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Glibc
import Testing

/// Events complete with their host; those of a foreign host complete at the next sweep.
@Suite(.timeLimit(.generous), .leavesNothing)
struct CompletionTests {
    @Test func `both events of a method complete when the host is released`() {
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

    @Test func `neither proxy nor observers nor streams keep the host alive`() {
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

    @Test func `a foreign host's events don't complete before a sweep, and any use sweeps`() async {
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

    @Test func `with many foreign hosts, a sweep follows one use for every sixteen hosts`() async {
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
