// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

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
