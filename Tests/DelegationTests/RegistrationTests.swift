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

    @Test func `a proxy for a refined protocol has both protocols' events`() {
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

    @Test func `a class registered after first use gets its proxy, and so do its subclasses`() {
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

    @Test func `the error for a missing proxy names the host's class`() {
        let error = #expect(throws: DelegationError.self) {
            try OrphanProxy.installedProxy(for: Orphan())
        }
        #expect(error?.code == .noFactory)
        #expect(error?.context.contains("Orphan") == true)
    }

    @Test func `a proxy type other than the registered one is refused, and the error names both`() {
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

    @Test func `threads that first use a proxy type register it once, completely`() {
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
