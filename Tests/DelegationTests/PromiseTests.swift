// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous), .leavesNothing)
struct PromiseTests {
    struct Failure: Error, Equatable {}

    @Test func `only the first outcome settles a promise`() async throws {
        let promise = Promise<Int>()
        #expect(promise.isPending)
        #expect(promise.fulfill(1))
        #expect(!promise.fulfill(2))
        #expect(!promise.reject(Failure()))
        #expect(try await promise.value == 1)
    }

    @Test func `all waiters get the value, late ones at once`() async throws {
        let promise = Promise<Int>()
        async let first = promise.value
        async let second = promise.value
        promise.fulfill(3)
        #expect(try await [first, second] == [3, 3])
        #expect(try await promise.value == 3)
    }

    @Test func `a cancelled waiter gets a cancellation, others the value`() async throws {
        let promise = Promise<Int>()
        let leaver = Task { try await promise.value }
        let stayer = Task { try await promise.value }
        leaver.cancel()
        await #expect(throws: CancellationError.self) { try await leaver.value }
        #expect(promise.isPending)
        promise.fulfill(4)
        #expect(try await stayer.value == 4)
    }

    @Test func `a promise whose producer is released is rejected`() async {
        let promise = Promise<Int> { _ in }
        await #expect(throws: PromiseError(.abandoned)) { try await promise.value }
    }

    @Test func `a producer that throws rejects`() async {
        let promise = Promise<Int> { _ in throw Failure() }
        await #expect(throws: Failure()) { try await promise.value }
    }

    @Test func `a timeout rejects and cancels the request`() async {
        let event = Event<Int>()
        let request = event.first { $0 > 10 }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
        #expect(!event.hasObservers)
    }

    @Test func `cancelling valueCancellingRequest cancels the request`() async {
        let event = Event<Int>()
        let asker = Task { try await event.first().valueCancellingRequest() }
        asker.cancel()
        await #expect(throws: CancellationError.self) { try await asker.value }
        #expect(!event.hasObservers)
    }

    @Test func `a promise stops observing after a value that matches`()
        async throws
    {
        let event = Event<Int>()
        let request = event.first { $0 > 10 }
        for value in [1, 11, 12] { event.send(value) }
        #expect(try await request.value == 11)
        #expect(!event.hasObservers)
    }

    @Test func `the event's completion rejects promises of its next value`() async {
        let event = Event<Int>()
        let request = event.first()
        event.complete()
        await #expect(throws: PromiseError(.eventCompleted)) { try await request.value }
    }

    @Test func `racing fulfillment, rejection, timeout and cancellation give one outcome`() async {
        for round in 0..<500 {
            let event = Event<Int>()
            let request = event.first().timeout(after: .microseconds(round % 50))
            let outcomes = Log<String>()
            await withTaskGroup { group in
                for index in 0..<4 {
                    group.addTask {
                        do {
                            outcomes.append("\(try await request.value)")
                        } catch {
                            outcomes.append("\(error)")
                        }
                    }
                    if index == 3 { group.addTask { event.send(1) } }
                }
                group.addTask { request.reject(Failure()) }
                group.addTask { _ = request.fulfill(2) }
                if round.isMultiple(of: 3) { group.cancelAll() }
            }
            // The timer may have set the outcome, and may still be ending the observation.
            _ = try? await request.value
            #expect(outcomes.count == 4)
            let settled = Set(outcomes.entries).subtracting(["CancellationError()"])
            #expect(settled.count <= 1)
            #expect(!request.isPending && !event.hasObservers)
        }
    }

    @Test func `no late value reaches a timed-out request`() async {
        let event = Event<Int>()
        let request = event.first().timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
        event.send(1)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
    }

    @Test func `a request with a predicate ignores other values`() async {
        let event = Event<Int>()
        let request = event.first { $0 < 25 }
        for accuracy in [100, 80, 60] { event.send(accuracy) }
        #expect(request.isPending)
        request.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
    }

    @Test func `releasing the host rejects its requests`() async {
        var manager: Manager? = Manager()
        let request = manager?.events.picked.sentMessage.first()
        manager = nil
        await #expect(throws: PromiseError(.eventCompleted)) { try await request?.value }
    }
}

/// `then`, `catch` and `finally`, and promises that are released while they are pending.
@Suite(.timeLimit(.generous), .leavesNothing)
struct PromiseChainTests {
    struct Failure: Error, Equatable {}

    let log = Log<String>()

    @Test func `then runs once, before and after settling`() {
        let promise = Promise<Int>()
        promise.then { [log] in log.append("before \($0)") }
        #expect(log.count == 0)
        promise.fulfill(1)
        promise.fulfill(2)
        promise.then { [log] in log.append("after \($0)") }
        #expect(log.entries == ["before 1", "after 1"])
    }

    @Test func `catch runs once, before and after settling`() {
        let promise = Promise<Void>()
        promise.catch { [log] in log.append("before \($0)") }
        promise.reject(Failure())
        promise.catch { [log] in log.append("after \($0)") }
        promise.then { [log] in log.append("value") }
        #expect(log.entries == ["before Failure()", "after Failure()"])
    }

    @Test func `a then that throws rejects, and catch recovers`() async throws {
        let promise = Promise<Int>()
        let failed = promise.then { _ -> Int in throw Failure() }
        let recovered = failed.catch { _ in 7 }
        promise.fulfill(1)
        await #expect(throws: Failure()) { try await failed.value }
        #expect(try await recovered.value == 7)
    }

    @Test func `a then that returns a promise waits for it`() async throws {
        let first = Promise<Int>()
        let second = Promise<String>()
        let chained = first.then { _ in second }
        first.fulfill(1)
        #expect(chained.isPending)
        second.fulfill("two")
        #expect(try await chained.value == "two")
    }

    @Test func `finally runs for both outcomes`() async throws {
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

    @Test func `a chain is rejected with an abandoned promise`() {
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

    @Test func `a timeout at a chain's end ends its request`() async {
        let event = Event<Int>()
        let end = event.first().then { [log] in log.append("\($0)") }.then { 0 }
            .timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(!event.hasObservers)
        event.send(1)
        #expect(log.count == 0)
    }

    @Test func `finally runs when a later timeout ends the chain`() async {
        let event = Event<Int>()
        let end = event.first().finally { [log] in log.append("end") }.timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await end.value }
        #expect(log.entries == ["end"])
        #expect(!event.hasObservers)
    }

    @Test func `a timeout ends the request of a released chain`() async throws {
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

    @Test func `a released request is cancelled at once, even with a timeout`() {
        let event = Event<Int>()
        event.first().timeout(after: .seconds(600))
        #expect(!event.hasObservers)
    }

    @Test func `a discarded finally delays no shorter timeout`() async {
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

    @Test func `a timeout ends a request despite a discarded finally`() async {
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

    @Test func `a timeout suppresses no finally of a shared promise`() {
        let promise = Promise<Int>()
        let end = promise.finally { [log] in log.append("end") }
        end.reject(PromiseError(.timedOut))
        #expect(log.count == 0)
        promise.fulfill(1)
        #expect(log.entries == ["end"])
    }

    @Test func `a cancellation at a chain's end ends both promises' requests`() async {
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

    @Test func `a timeout doesn't end a shared request`() async throws {
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

/// The names that other libraries of promises use.
@Suite(.timeLimit(.generous), .leavesNothing)
struct PromiseNamesTests {
    struct Refused: Error {}
    let log = Log<Int>()

    @Test func `all has the values of all promises in their order`() async throws {
        let (first, second, third) = (Promise<Int>(), Promise<Int>(), Promise<Int>())
        let values = Promise.all([first, second, third])
        third.fulfill(3)
        first.fulfill(1)
        #expect(values.isPending)
        second.fulfill(2)
        #expect(try await values.value == [1, 2, 3])
        #expect(try await Promise.all([Promise<Int>]()).value == [])
    }

    @Test func `all has a tuple of values of several types`() async throws {
        let (number, text) = (Promise<Int>(), Promise<String>())
        let both = all(number, text).then { "\($0.1) \($0.0)" }
        text.fulfill("number")
        number.fulfill(7)
        #expect(try await both.value == "number 7")
        let pair = try await Promise.all(number, text).value
        #expect(pair == (7, "number"))
    }

    @Test func `all is rejected with the first error, and others continue`() async {
        let (first, second) = (Promise<Int>(), Promise<Int>())
        let values = all([first, second])
        first.reject(Refused())
        await #expect(throws: Refused.self) { try await values.value }
        #expect(second.isPending)
        second.fulfill(2)
    }

    @Test func `a timeout of all ends the requests that nothing else uses`() async {
        let event = Event<Int>()
        let values = Promise.all([event.first(), event.first { $0 > 1 }])
        #expect(event.hasObservers)
        await #expect(throws: PromiseError(.timedOut)) {
            try await values.timeout(after: .zero).value
        }
        #expect(!event.hasObservers)
    }

    @Test func `many threads that settle promises fulfill all once`() async throws {
        let promises = (0..<64).map { _ in Promise<Int>() }
        let values = Promise.all(promises)
        values.then { [log] in log.append($0.count) }
        onThreads(8) { thread in
            for index in stride(from: thread, to: 64, by: 8) { promises[index].fulfill(index) }
        }
        #expect(try await values.value == Array(0..<64))
        #expect(log.entries == [64])
    }

    @Test func `pending has a promise, or a promise and its resolver`() async throws {
        let promise = Promise<Int>.pending()
        promise.fulfill(1)
        #expect(try await promise.value == 1)
        let (other, seal) = Promise<Int>.pending()
        seal.fulfill(2)
        #expect(try await other.value == 2)
    }

    @Test func `recover replaces an error by a value or by another promise`() async throws {
        let first = Promise<Int>()
        let value = first.recover { _ in 1 }
        let promise = first.recover { _ in Promise { $0.fulfill(2) } }
        let failed = first.recover { error -> Promise<Int> in throw error }
        let kept = Promise<Int> { $0.fulfill(3) }.recover { _ in Promise<Int>() }
        first.reject(Refused())
        #expect(try await (value.value, promise.value, kept.value) == (1, 2, 3))
        await #expect(throws: Refused.self) { try await failed.value }
    }

    @MainActor @Test func `recover and always run on the main actor`() async throws {
        let promise = Promise<Int>()
        let model = TitleModel()
        let recovered = promise.recover(on: .main) { _ in
            model.title = "recovered"
            return 4
        }.always(on: .main) { model.caption = "always" }
        promise.reject(Refused())
        #expect(try await recovered.value == 4)
        #expect(model.title == "recovered" && model.caption == "always")
    }

    @Test func `always runs after a value and after an error`() {
        let (first, second) = (Promise<Int>(), Promise<Int>())
        first.always { [log] in log.append(1) }
        second.always { [log] in log.append(2) }
        first.fulfill(0)
        second.reject(Refused())
        #expect(log.entries == [1, 2])
    }
}
