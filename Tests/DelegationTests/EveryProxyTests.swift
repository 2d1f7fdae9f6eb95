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

/// The library releases all objects that it was given.
@Suite(.timeLimit(.generous))
struct LiveCountsTests {
    @Test func `proxies, observers, streams and promises release everything they hold`() {
        let counts = LiveCounts()
        LiveCounts.$current.withValue(counts) {
            let manager = Manager()
            let (observed, requested, connected) = (Log<Int>(), Log<String>(), Log<Int>())
            manager.events.picked.observe { observed.append($0) }
            let request = manager.events.learned.sentMessage.first { [requested] in
                requested.append($0)
                return false
            }
            let stream = EventStream<Int>(buffering: .unbounded) { onValue, onCompletion in
                manager.events.picked.observe { value in
                    connected.append(value)
                    onValue(value)
                } onCompletion: {
                    onCompletion()
                }
            }
            manager.pick(1)
            withExtendedLifetime((request, stream)) {
                // The manager, its own log, its proxy and three logs.
                #expect(counts.count == 6)
            }
        }
        #expect(counts.count == 0)
    }

    @Test func `a closure that waits for zero is called when the last object is released`() {
        let counts = LiveCounts()
        let log = Log<String>()
        var event: Event<Int>? = Event()
        LiveCounts.$current.withValue(counts) {
            let observed = Log<Int>()
            event?.observe { observed.append($0) }
        }
        counts.whenZero { log.append("none") }
        #expect(log.count == 0)
        event = nil
        #expect(log.entries == ["none"])
    }
}

/// Concurrent use from many threads; also run under the thread sanitizer.
@Suite(.timeLimit(.generous), .leavesNothing)
struct ThreadTests {
    @Test func `each observer receives a producer's events in order during other changes`() {
        let manager = Manager()
        let steady = Log<Int>()
        let delegates = [Mock(), Mock()]
        manager.events.picked.observe { steady.append($0) }
        let count = 100_000
        onThreads(4) { thread in
            guard thread > 0 else {
                for value in 1...count { manager.pick(value) }
                return
            }
            for round in 0..<2_000 {
                let last = Shared(0)
                let token = manager.events.picked.methodInvoked.observe { value in
                    if value <= last.value { Issue.record("\(value) after \(last.value)") }
                    last.value = value
                }
                manager.delegate = delegates[round % 2]
                token.dispose()
                manager.delegate = nil
            }
        }
        #expect(steady.entries == Array(1...count))
    }

    @Test func `a million events reach a steady observer once each`() {
        let manager = Manager()
        let received = (0..<8).map { _ in Shared(0) }
        let disorder = Shared(0)
        // Each thread numbers its events, so lost or repeated ones show in count and order.
        let latest = Shared(Array(repeating: -1, count: 8))
        manager.events.picked.observe { value in
            let thread = value % 8
            received[thread].value += 1
            if latest.value[thread] >= value { disorder.value += 1 }
            latest.update { $0[thread] = value }
        }
        let mock = Mock()
        onThreads(8) { thread in
            for round in 0..<125_000 {
                if round.isMultiple(of: 64) {
                    manager.events.learned.observe { _ in }.dispose()
                    manager.events.picked.observe { _ in }.dispose()
                    manager.delegate = round.isMultiple(of: 128) ? mock : nil
                }
                manager.pick(round * 8 + thread)
            }
        }
        #expect(received.map(\.value) == Array(repeating: 125_000, count: 8))
        #expect(disorder.value == 0)
    }

    @Test func `a stalled reader loses only its own events, which are counted`() async {
        let event = Event<Int>()
        let stalled = event.values(buffering: .newest(16))
        let sum = Shared(0)
        event.observe { value in sum.update { $0 += value } }
        let count = 200_000
        for value in 1...count { event.send(value) }
        event.complete()
        #expect(sum.value == count * (count + 1) / 2)
        #expect(stalled.droppedCount == count - 16)
        #expect(await collect(stalled) == Array(count - 15...count))
    }

    @Test func `readers in separate tasks each receive everything`() async {
        let event = Event<Int>()
        let streams = (0..<4).map { _ in event.values(buffering: .unbounded) }
        let readers = streams.map { stream in Task { await collect(stream) } }
        onThreads(1) { _ in
            for value in 1...5_000 { event.send(value) }
            event.complete()
        }
        for reader in readers {
            #expect(await reader.value == Array(1...5_000))
        }
    }

    @Test func `readers cancelled during events leave no observers`() async {
        let event = Event<Int>()
        let readers = (0..<50).map { _ in
            Task {
                var last = 0
                for await value in event.values() {
                    if value <= last { Issue.record("\(value) after \(last)") }
                    last = value
                }
            }
        }
        let canceller = Task { for reader in readers { reader.cancel() } }
        for value in 1...2_000 { event.send(value) }
        await canceller.value
        for reader in readers { await reader.value }
        #expect(!event.hasObservers)
    }
}
