// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// `then`, `catch` and `finally`, and promises that are released while they are pending.
@Suite(.timeLimit(.generous), .leavesNothing)
struct PromiseChainTests {
    struct Failure: Error, Equatable {}

    let log = Log<String>()

    @Test func `then runs once with the value, before and after settling`() {
        let promise = Promise<Int>()
        promise.then { [log] in log.append("before \($0)") }
        #expect(log.count == 0)
        promise.fulfill(1)
        promise.fulfill(2)
        promise.then { [log] in log.append("after \($0)") }
        #expect(log.entries == ["before 1", "after 1"])
    }

    @Test func `catch runs once with the error, before and after settling`() {
        let promise = Promise<Void>()
        promise.catch { [log] in log.append("before \($0)") }
        promise.reject(Failure())
        promise.catch { [log] in log.append("after \($0)") }
        promise.then { [log] in log.append("value") }
        #expect(log.entries == ["before Failure()", "after Failure()"])
    }

    @Test func `a then that throws rejects the returned promise, and catch recovers`() async throws
    {
        let promise = Promise<Int>()
        let failed = promise.then { _ -> Int in throw Failure() }
        let recovered = failed.catch { _ in 7 }
        promise.fulfill(1)
        await #expect(throws: Failure()) { try await failed.value }
        #expect(try await recovered.value == 7)
    }

    @Test func `a then that returns a promise waits for that promise`() async throws {
        let first = Promise<Int>()
        let second = Promise<String>()
        let chained = first.then { _ in second }
        first.fulfill(1)
        #expect(chained.isPending)
        second.fulfill("two")
        #expect(try await chained.value == "two")
    }

    @Test func `finally runs for both outcomes and passes them on`() async throws {
        let good = Promise<Int>()
        let bad = Promise<Int>()
        let goodEnd = good.finally { [log] in log.append("good") }
        let badEnd = bad.finally { [log] in log.append("bad") }
        good.fulfill(1)
        bad.reject(Failure())
        #expect(try await goodEnd.value == 1)
        await #expect(throws: Failure()) { try await badEnd.value }
        #expect(log.entries == ["good", "bad"])
    }

    @Test func `callbacks run on the given executor`() async throws {
        let queue = DispatchQueue(label: "then")
        let promise = Promise<Int>()
        let end = promise.then(on: queue) { value in
            dispatchPrecondition(condition: .onQueue(queue))
            return value + 1
        }
        promise.fulfill(1)
        #expect(try await end.value == 2)
    }

    @Test func `an unreferenced chain still runs`() {
        let event = Event<Int>()
        event.first().then { [log] in log.append("got \($0)") }
        event.send(1)
        event.send(2)
        #expect(log.entries == ["got 1"] && !event.hasObservers)
    }

    @Test func `a chain is rejected when its promise can no longer be settled`() {
        do {
            let promise = Promise<Int>()
            promise.catch { [log] error in
                log.append("\(error)")
                return 0
            }
        }
        #expect(log.entries == ["abandoned"])
    }

    @Test func `a released request without a waiter is cancelled`() {
        let event = Event<Int>()
        do {
            let request = event.first()
            #expect(event.hasObservers)
            withExtendedLifetime(request) {}
        }
        #expect(!event.hasObservers)
    }

    @Test func `a timeout at the end of a chain ends the request at its beginning`() async {
        let event = Event<Int>()
        let end = event.first().then { [log] in log.append("\($0)") }.then { 0 }
            .timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(!event.hasObservers)
        event.send(1)
        #expect(log.count == 0)
    }

    @Test func `finally also runs when a timeout after it ends the chain`() async {
        let event = Event<Int>()
        let end = event.first().finally { [log] in log.append("end") }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(log.entries == ["end"])
        #expect(!event.hasObservers)
    }

    @Test func `a timeout at the end of a chain that is not kept ends the request`() async throws {
        let event = Event<Int>()
        let end = Promise<Void>()
        event.first().then { [log] in log.append("\($0)") }.timeout(after: .zero)
        event.first().finally { end.fulfill(()) }.timeout(after: .zero)
        while event.hasObservers, !Task.isCancelled { await Task.yield() }
        #expect(!event.hasObservers)
        try await end.value
        event.send(1)
        #expect(log.count == 0)
    }

    @Test func `a request that is not kept is cancelled at once, even with a timeout`() {
        let event = Event<Int>()
        event.first().timeout(after: .seconds(600))
        #expect(!event.hasObservers)
    }

    @Test func `a discarded finally with a timeout does not delay a shorter one`() async {
        let event = Event<Int>()
        func request() -> Promise<Int> {
            let promise = event.first()
            promise.finally { [log] in log.append("end") }.timeout(after: .seconds(600))
            return promise
        }
        let end = request().then { $0 }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(log.entries == ["end"] && !event.hasObservers)
    }

    @Test func `a timeout ends a request whose only other use is a discarded finally`() async {
        let event = Event<Int>()
        func request() -> Promise<Int> {
            let promise = event.first()
            promise.finally { [log] in log.append("end") }
            return promise
        }
        let end = request().then { $0 }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(log.entries == ["end"] && !event.hasObservers)
    }

    @Test func `a discarded finally keeps a request that is only released`() {
        let event = Event<Int>()
        event.first().finally { [log] in log.append("end") }
        #expect(log.count == 0 && event.hasObservers)
        event.send(1)
        #expect(log.entries == ["end"] && !event.hasObservers)
    }

    @Test func `a timeout does not suppress finally on a promise that something else uses`() {
        let promise = Promise<Int>()
        let end = promise.finally { [log] in log.append("end") }
        end.reject(PromiseError(.timedOut))
        #expect(log.count == 0)
        promise.fulfill(1)
        #expect(log.entries == ["end"])
    }

    @Test func `a cancellation at the end of a chain ends the requests of both promises`() async {
        let (first, second) = (Event<Int>(), Event<Int>())
        let task = Task {
            try await first.first().then { _ in second.first() }.valueCancellingRequest()
        }
        while !first.hasObservers { await Task.yield() }
        first.send(1)
        while !second.hasObservers { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!second.hasObservers)

        let other = Task { try await first.first().then { $0 }.valueCancellingRequest() }
        while !first.hasObservers { await Task.yield() }
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
        #expect(!first.hasObservers)
    }

    @Test func `a timeout does not end a request that something else uses`() async throws {
        let event = Event<Int>()
        let request = event.first()
        let end = request.then { $0 }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        event.send(1)
        #expect(try await request.value == 1)

        let sum = event.first().then { $0 + 1 }
        let product = event.first().then { $0 * 2 }
        _ = product.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await product.value }
        event.send(2)
        #expect(try await sum.value == 3)
    }

    @Test func `a timeout ends an unreferenced chain`() async throws {
        let event = Event<Int>()
        let end = event.first().timeout(after: .zero).then { "\($0)" }.catch { "\($0)" }
        #expect(try await end.value == "timed out")
        event.send(1)
        #expect(try await end.value == "timed out" && !event.hasObservers)
    }
}
