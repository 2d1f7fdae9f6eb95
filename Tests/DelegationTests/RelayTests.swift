// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Throwing and asynchronous delegate methods.
@Suite(.timeLimit(.generous), .leavesNothing)
struct RelayTests {
    private let store = Store()
    private let log = Log<String>()
    private var proxy: StoreProxy { .proxy(for: store) }

    private func observe() {
        proxy.saved.sentMessage.observe { [log] in log.append("sent \($0)") }
        proxy.saved.methodInvoked.observe { [log] in log.append("invoked \($0)") }
    }

    @Test func `a delegate's error reaches the host after methodInvoked`() async {
        observe()
        let keeper = Keeper(log)
        store.delegate = keeper
        #expect(throws: Full.self) { try store.save(-1) }
        #expect(throws: Full.self) { try store.count(-1) }
        await #expect(throws: Full.self) { try await store.upload(-1) }
        await #expect(throws: Full.self) { try await store.download(-1) }
        #expect(
            log.entries == [-1, -1, -1, -1].flatMap { ["sent \($0)", "keeper", "invoked \($0)"] })
    }

    @Test func `an asynchronous call reaches the delegate, then methodInvoked's observers`()
        async throws
    {
        observe()
        let keeper = Keeper(log)
        store.delegate = keeper
        let added = Keeper(log)
        proxy.addDelegate(added)
        try await store.upload(1)
        #expect(log.entries == ["sent 1", "keeper", "keeper", "invoked 1"])
        #expect(try await store.download(2) == 2)
        #expect(try store.count(3) == 3)
    }

    @Test func `without a delegate the default is returned`() async throws {
        observe()
        _ = proxy
        try store.save(1)
        #expect(try store.count(2) == 7)
        try await store.upload(3)
        #expect(try await store.download(4) == 8)
        #expect(log.entries == (1...4).flatMap { ["sent \($0)", "invoked \($0)"] })
    }

    @MainActor @Test func `an asynchronous delegate may be a main-actor class`() async throws {
        observe()
        let keeper = MainKeeper()
        store.delegate = keeper
        try await store.upload(1)
        #expect(keeper.uploads == [1])
        #expect(try await store.download(4) == 1)
    }
}

private struct Full: Error {}

private protocol StoreDelegate: AnyObject, Sendable {
    func save(_ item: Int) throws
    func count(_ item: Int) throws -> Int
    func upload(_ item: Int) async throws
    func download(_ item: Int) async throws -> Int
}

private final class Store: HasRoutedDelegate, Sendable {
    let proxyStorage = ProxyStorage()
    let delegateSlot = DelegateSlot<any StoreDelegate>()
    var delegate: (any StoreDelegate)? {
        get { delegateSlot.delegate }
        set { delegateSlot.delegate = newValue }
    }

    func save(_ item: Int) throws { try delegateSlot.sink?.save(item) }
    func count(_ item: Int) throws -> Int? { try delegateSlot.sink?.count(item) }
    func upload(_ item: Int) async throws { try await delegateSlot.sink?.upload(item) }
    func download(_ item: Int) async throws -> Int? {
        try await delegateSlot.sink?.download(item)
    }
}

private final class StoreProxy: DelegateProxyType, StoreDelegate {
    let base: DelegateProxy<Store, any StoreDelegate>
    let saved: MethodEvent<Int>

    init(_ base: DelegateProxy<Store, any StoreDelegate>) {
        self.base = base
        saved = base.event("saved")
    }

    static func registerKnownImplementations() { register { StoreProxy($0) } }

    func save(_ item: Int) throws { try relay(saved, item) { try $0.save(item) } }
    func count(_ item: Int) throws -> Int {
        try relay(saved, item, default: 7) { try $0.count(item) }
    }
    func upload(_ item: Int) async throws {
        try await relay(saved, item) { try await $0.upload(item) }
    }
    func download(_ item: Int) async throws -> Int {
        try await relay(saved, item, default: 8) { try await $0.download(item) }
    }
}

private final class Keeper: StoreDelegate {
    let log: Log<String>
    init(_ log: Log<String>) { self.log = log }

    private func keep(_ item: Int) throws {
        log.append("keeper")
        if item < 0 { throw Full() }
    }

    func save(_ item: Int) throws { try keep(item) }
    func count(_ item: Int) throws -> Int {
        try keep(item)
        return item
    }
    func upload(_ item: Int) async throws {
        await Task.yield()
        try keep(item)
    }
    func download(_ item: Int) async throws -> Int {
        await Task.yield()
        try keep(item)
        return item
    }
}

@MainActor private final class MainKeeper: StoreDelegate {
    var uploads: [Int] = []

    nonisolated func save(_ item: Int) throws {}
    nonisolated func count(_ item: Int) throws -> Int { item }
    @MainActor func upload(_ item: Int) async throws { uploads.append(item) }
    @MainActor func download(_ item: Int) async throws -> Int { uploads.count }
}

/// Delegate protocols with completion handlers, `inout` arguments, properties and an associated
/// type.
@Suite(.timeLimit(.generous), .leavesNothing)
struct RequirementTests {
    private let browser = Browser<String>()
    private var proxy: BrowserProxy<String> { .proxy(for: browser) }

    @Test func `a completion handler is called once, by the delegate or by the default`() {
        let pages = Log<String>()
        proxy.willOpen.observe { pages.append($0) }
        #expect(browser.answers(toOpening: "a") == [true])
        let guardian = Guardian()
        let added = Guardian()
        browser.delegate = guardian
        proxy.addDelegate(added)
        #expect(browser.answers(toOpening: "b") == [false])
        #expect(guardian.asked.entries == ["b"] && added.asked.count == 0)
        #expect(pages.entries == ["a", "b"])
    }

    @Test func `an inout argument is sent as it arrives, and the delegate changes it`() {
        let offsets = Log<Int>()
        proxy.willScroll.sentMessage.observe { offsets.append($0) }
        proxy.willScroll.methodInvoked.observe { offsets.append($0) }
        #expect(browser.scroll(to: 1) == 1)
        let guardian = Guardian()
        browser.delegate = guardian
        #expect(browser.scroll(to: 2) == 20)
        #expect(offsets.entries == [1, 1, 2, 2])
        withExtendedLifetime(guardian) {}
    }

    @Test func `a property is read from the delegate, or has a default`() {
        _ = proxy
        #expect(browser.title == "none")
        let guardian = Guardian()
        browser.delegate = guardian
        #expect(browser.title == "guardian")
        withExtendedLifetime(guardian) {}
    }

    @Test func `each instantiation of a generic proxy is registered`() {
        let numbers = Browser<Int>()
        let log = Log<Int>()
        _ = proxy
        BrowserProxy<Int>.proxy(for: numbers).willOpen.observe { log.append($0) }
        #expect(numbers.answers(toOpening: 7) == [true])
        #expect(log.entries == [7])
    }

    @Test func `a delegate may be an actor`() {
        let manager = Manager()
        let keeper = ActorKeeper()
        manager.delegate = keeper
        _ = ManagerProxy.proxy(for: manager)
        manager.pick(1)
        #expect(keeper.picks.entries == [1])
    }
}

private protocol BrowserDelegate<Page>: AnyObject {
    associatedtype Page: Sendable

    var title: String { get }

    func browser(
        _ browser: Browser<Page>, willOpen page: Page, decide: @escaping (Bool) -> Void)
    func browser(_ browser: Browser<Page>, willScrollTo offset: inout Int)
}

private final class Browser<Page: Sendable>: HasRoutedDelegate, Sendable {
    let proxyStorage = ProxyStorage()
    let delegateSlot = DelegateSlot<any BrowserDelegate<Page>>()
    var delegate: (any BrowserDelegate<Page>)? {
        get { delegateSlot.delegate }
        set { delegateSlot.delegate = newValue }
    }

    /// Returns all answers, of which there should be one.
    func answers(toOpening page: Page) -> [Bool] {
        var answers: [Bool] = []
        delegateSlot.sink?.browser(self, willOpen: page) { answers.append($0) }
        return answers
    }

    func scroll(to offset: Int) -> Int {
        var offset = offset
        delegateSlot.sink?.browser(self, willScrollTo: &offset)
        return offset
    }

    var title: String? { delegateSlot.sink?.title }
}

private final class BrowserProxy<Page: Sendable>: DelegateProxyType, BrowserDelegate {
    let base: DelegateProxy<Browser<Page>, any BrowserDelegate<Page>>
    let willOpen: MethodEvent<Page>
    let willScroll: MethodEvent<Int>

    init(_ base: DelegateProxy<Browser<Page>, any BrowserDelegate<Page>>) {
        self.base = base
        willOpen = base.event("willOpen")
        willScroll = base.event("willScroll")
    }

    static func registerKnownImplementations() { register { BrowserProxy($0) } }

    var title: String { forwardToDelegate()?.title ?? "none" }

    func browser(
        _ browser: Browser<Page>, willOpen page: Page, decide: @escaping (Bool) -> Void
    ) {
        relay(willOpen, page, default: decide(true)) {
            $0.browser(browser, willOpen: page, decide: decide)
        }
    }
    func browser(_ browser: Browser<Page>, willScrollTo offset: inout Int) {
        relay(willScroll, offset) { $0.browser(browser, willScrollTo: &offset) }
    }
}

private final class Guardian: BrowserDelegate, Sendable {
    let asked = Log<String>()

    var title: String { "guardian" }

    func browser(
        _ browser: Browser<String>, willOpen page: String, decide: @escaping (Bool) -> Void
    ) {
        asked.append(page)
        decide(false)
    }
    func browser(_ browser: Browser<String>, willScrollTo offset: inout Int) { offset *= 10 }
}

private actor ActorKeeper: PanelDelegate {
    let picks = Log<Int>()

    nonisolated func panel(_ panel: AnyObject, picked index: Int) { picks.append(index) }
}

/// Proxies that lack a method of a protocol whose methods are all optional.
@Suite(.timeLimit(.generous), .leavesNothing)
struct MissingMethodTests {
    let messages = Log<String>()

    private func reporting(_ body: () -> Void) {
        MissingMethod.$report.withValue({ [messages] in messages.append($0) }, operation: body)
    }

    @Test func `a delegate receives the calls of methods that its proxy lacks`() {
        enum Case {}
        let (tuner, listener) = (Tuner(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.setForwardToDelegate(listener)
        reporting {
            tuner.find(1)
            tuner.lose(2)
            tuner.lose(3)
            #expect(tuner.mayTune(to: 4) == false)
        }
        #expect(listener.log.entries == ["find 1", "lose 2", "lose 3", "mayTune 4"])
    }

    @Test func `a proxy that lacks a method says so once, if the delegate implements it`() {
        enum Case {}
        let (tuner, listener) = (Tuner(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        reporting {
            tuner.lose(1)
            #expect(messages.count == 0, "no delegate")
            proxy.setForwardToDelegate(listener)
            tuner.lose(2)
            tuner.lose(3)
            tuner.rename("x")
        }
        #expect(messages.count == 1)
        let message = messages.entries.first ?? ""
        #expect(
            message.contains(" lacks tuner(_:didLose:), which Listener implements"))
        #expect(message.contains("relay(didLose, …) { $0.tuner(…, didLose: …) }"))
    }

    @Test func `a delegate that lacks the method, too, causes no message`() {
        enum Case {}
        final class Deaf: TunerDelegate {}
        let (tuner, deaf) = (Tuner(), Deaf())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.setForwardToDelegate(deaf)
        reporting {
            tuner.lose(1)
            tuner.rename("x")
            #expect(tuner.mayTune(to: 2) == true)
        }
        #expect(messages.count == 0)
    }

    @Test func `a default that calls an older method calls either once`() {
        enum Case {}
        final class Old: TunerDelegate {
            let log = Log<String>()
            func tuner(_ tuner: Tuner, hasOldName name: String) { log.append("old \(name)") }
        }
        final class Both: TunerDelegate {
            let log = Log<String>()
            func tuner(_ tuner: Tuner, hasOldName name: String) { log.append("old \(name)") }
            func tuner(_ tuner: Tuner, hasName name: String) { log.append("new \(name)") }
        }
        let (tuner, old, both) = (Tuner(), Old(), Both())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        reporting {
            proxy.setForwardToDelegate(old)
            tuner.rename("a")
            proxy.setForwardToDelegate(both)
            tuner.rename("b")
        }
        #expect(old.log.entries == ["old a"] && both.log.entries == ["new b"])
    }

    @Test func `delegates that a program adds receive the calls, too`() {
        enum Case {}
        let (tuner, first, second) = (Tuner(), Listener(), Listener())
        let proxy = TunerProxy<Case>(DelegateProxy(host: tuner))
        tuner.delegate = proxy
        proxy.addDelegate(first)
        proxy.addDelegate(second)
        reporting { tuner.lose(5) }
        #expect(first.log.entries == ["lose 5"] && second.log.entries == ["lose 5"])
        #expect(messages.count == 1)
    }
}

private protocol TunerDelegate: AnyObject, Sendable {
    func tuner(_ tuner: Tuner, didFind station: Int)
    func tuner(_ tuner: Tuner, didLose station: Int)
    func tuner(_ tuner: Tuner, hasName name: String)
    func tuner(_ tuner: Tuner, hasOldName name: String)
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool
}

extension TunerDelegate {
    func tuner(_ tuner: Tuner, didFind station: Int) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, didFind: station)
        }
    }
    func tuner(_ tuner: Tuner, didLose station: Int) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, didLose: station)
        }
    }
    func tuner(_ tuner: Tuner, hasName name: String) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, hasName: name)
        } orElse: {
            self.tuner(tuner, hasOldName: name)
        }
    }
    func tuner(_ tuner: Tuner, hasOldName name: String) {
        relayMissing(self) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, hasOldName: name)
        }
    }
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool {
        relayMissing(self, default: true) { (delegate: any TunerDelegate) in
            delegate.tuner(tuner, mayTuneTo: station)
        }
    }
}

private final class Tuner: Sendable {
    private let stored = Shared<(any TunerDelegate)?>(nil)
    private let live = LiveToken()

    var delegate: (any TunerDelegate)? {
        get { stored.value }
        set { stored.value = newValue }
    }

    func find(_ station: Int) { delegate?.tuner(self, didFind: station) }
    func lose(_ station: Int) { delegate?.tuner(self, didLose: station) }
    func rename(_ name: String) { delegate?.tuner(self, hasName: name) }
    func mayTune(to station: Int) -> Bool? { delegate?.tuner(self, mayTuneTo: station) }
}

/// A proxy that lists one method, as tutorials do. Each test has its own type, because a message is
/// printed once for each.
private final class TunerProxy<Case>: DelegateRelay, TunerDelegate {
    let base: DelegateProxy<Tuner, any TunerDelegate>
    let didFind: MethodEvent<Int>

    init(_ base: DelegateProxy<Tuner, any TunerDelegate>) {
        self.base = base
        didFind = base.event("didFind")
    }

    func tuner(_ tuner: Tuner, didFind station: Int) {
        relay(didFind, station) { $0.tuner(tuner, didFind: station) }
    }
}

private final class Listener: TunerDelegate {
    let log = Log<String>()
    func tuner(_ tuner: Tuner, didFind station: Int) { log.append("find \(station)") }
    func tuner(_ tuner: Tuner, didLose station: Int) { log.append("lose \(station)") }
    func tuner(_ tuner: Tuner, mayTuneTo station: Int) -> Bool {
        log.append("mayTune \(station)")
        return false
    }
}
