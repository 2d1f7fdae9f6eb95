// SPDX-License-Identifier: MIT
import Delegation
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

    @Test func `a cancelled waiter gets a cancellation and the others the value`() async throws {
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

    @Test func `a promise waits for a value that meets the condition and stops observing`()
        async throws
    {
        let event = Event<Int>()
        let request = event.first { $0 > 10 }
        for value in [1, 11, 12] { event.send(value) }
        #expect(try await request.value == 11)
        #expect(!event.hasObservers)
    }

    @Test func `the completion of the event rejects promises of its next value`() async {
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

    @Test func `a late value doesn't reach a request that has timed out`() async {
        let event = Event<Int>()
        let request = event.first().timeout(after: .zero)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
        event.send(1)
        await #expect(throws: PromiseError(.timedOut)) { try await request.value }
    }

    @Test func `a request with a predicate ignores other values and then times out`() async {
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
