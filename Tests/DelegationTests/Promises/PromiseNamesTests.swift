// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

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
