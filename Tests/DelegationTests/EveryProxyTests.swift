// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// The behaviour that all proxy types share.
@Suite(.timeLimit(.generous), .leavesNothing)
struct EveryProxyTests {
    @Test func `a plain delegate property has a proxy`() throws {
        try check(PanelProxy.self, { $0.picked }, making: Panel.init, drive: { $0.pick($1) }) {
            Picker()
        }
    }

    @Test func `a routed delegate property has a proxy`() throws {
        try check(ManagerProxy.self, { $0.picked }, making: Manager.init, drive: { $0.pick($1) }) {
            Picker()
        }
    }

    @Test func `a host with several delegates has a proxy`() throws {
        try check(
            SwitchboardProxy.self, { $0.picked }, making: Switchboard.init,
            drive: { $0.pick($1) }
        ) { Picker() }
    }

    @Test func `a class without storage for proxies has a proxy`() throws {
        try check(GadgetProxy.self, { $0.beeped }, making: Gadget.init, drive: { $0.beep($1) }) {
            Beeper()
        }
    }

    @Test func `a subclass may have its own proxy`() throws {
        try check(
            TableProxy.self, { $0.picked }, making: Table.init,
            drive: { ($0 as? Table)?.pick($1) }
        ) { Rower() }
    }

    @Test func `each method's events are sent once by one call`() {
        let manager = Manager()
        let proxy = ManagerProxy.proxy(for: manager)
        let log = Log<String>()
        observe(proxy.learned, in: log)
        observe(proxy.picked, in: log)
        observe(proxy.height, in: log)
        manager.learn("a")
        manager.pick(1)
        _ = manager.height(at: 2)
        #expect(
            log.entries == [
                "learned sent a", "learned invoked a", "picked sent 1", "picked invoked 1",
                "height sent 2", "height invoked 2",
            ])
    }

    @Test func `each event of a proxy completes and does not retain the host`() {
        let events: [(ManagerProxy) -> (@escaping @Sendable () -> Void) -> Void] = [
            { proxy in { proxy.learned.sentMessage.observe({ _ in }, onCompletion: $0) } },
            { proxy in { proxy.learned.methodInvoked.observe({ _ in }, onCompletion: $0) } },
            { proxy in { proxy.picked.sentMessage.observe({ _ in }, onCompletion: $0) } },
            { proxy in { proxy.picked.methodInvoked.observe({ _ in }, onCompletion: $0) } },
            { proxy in { proxy.height.sentMessage.observe({ _ in }, onCompletion: $0) } },
            { proxy in { proxy.height.methodInvoked.observe({ _ in }, onCompletion: $0) } },
        ]
        for event in events {
            var manager: Manager? = Manager()
            weak let seen = manager
            let log = Log<String>()
            if let manager { event(ManagerProxy.proxy(for: manager))({ log.append("done") }) }
            #expect(log.count == 0)
            manager = nil
            #expect(seen == nil && log.entries == ["done"])
        }
    }

    private func observe<Payload>(_ event: MethodEvent<Payload>, in log: Log<String>) {
        event.sentMessage.observe { log.append("\(event.name) sent \($0)") }
        event.methodInvoked.observe { log.append("\(event.name) invoked \($0)") }
    }

    /// A delegate that stores the numbers it receives.
    private protocol StoresNumbers: AnyObject { var numbers: [Int?] { get } }

    private final class Picker: PanelDelegate, StoresNumbers {
        var numbers: [Int?] = []
        func panel(_ panel: AnyObject, picked index: Int) { numbers.append(index) }
    }

    private final class Beeper: GadgetListener, StoresNumbers {
        var numbers: [Int?] = []
        func gadget(_ gadget: Gadget, beeped volume: Int?) { numbers.append(volume) }
    }

    private final class Rower: TableDelegate, StoresNumbers {
        var numbers: [Int?] = []
        func scroll(_ scroll: Scroll, didScrollTo offset: Int) {}
        func table(_ table: Table, picked row: Int) { numbers.append(row) }
    }

    private func check<Proxy: DelegateProxyType, Payload>(
        _ type: Proxy.Type, _ event: (Proxy) -> MethodEvent<Payload>,
        making host: () -> Proxy.Host, drive: (Proxy.Host, Int) -> Void,
        delegate makeDelegate: () -> some StoresNumbers
    ) throws {
        var host: Proxy.Host? = host()
        weak let seen = host
        let log = Log<String>()
        let delegate = makeDelegate()
        if let host {
            let event = event(Proxy.proxy(for: host))
            event.sentMessage.observe(
                { log.append("sent \($0)") }, onCompletion: { log.append("done") })
            event.methodInvoked.observe(
                { log.append("invoked \($0)") }, onCompletion: { log.append("done") })
            #expect(log.count == 0)

            drive(host, 382_763)
            #expect(log.count == 2)
            #expect(log.entries.first?.hasPrefix("sent") == true)
            #expect(log.entries.allSatisfy { $0.contains("382763") })

            let token = try Proxy.setDelegate(#require(delegate as? Proxy.Delegate), for: host)
            drive(host, 2)
            #expect(delegate.numbers == [2])
            token.dispose()
            drive(host, 3)
            #expect(delegate.numbers == [2])
            #expect(!log.entries.contains("done") && log.count == 6)
        }
        host = nil
        ProxyStorage.sweep()
        #expect(seen == nil)
        #expect(log.entries.suffix(2) == ["done", "done"] && log.count == 8)
    }
}
