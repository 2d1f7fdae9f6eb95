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

    @Test func `an error thrown by a delegate reaches the host after methodInvoked`() async {
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

    @Test func `an asynchronous call reaches the delegate, then the observers of methodInvoked`()
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

    @MainActor @Test func `an asynchronous delegate may be a class of the main actor`() async throws
    {
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
