// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSTestTraits
import Testing

/// The namespace `object.events`, which extensions add members to.
@Suite(.timeLimit(.generous), .leavesNothing)
struct EventNamespaceTests {
    @Test func `a delegate's events are members of the namespace events`() {
        let manager = Manager()
        let mock = Mock()
        let log = Log<Int>()
        manager.delegate = mock
        manager.events.picked.observe { log.append($0) }
        #expect(log.count == 0)
        manager.pick(3)
        #expect(log.entries == [3])
        #expect(ManagerProxy.proxy(for: manager).forwardToDelegate() === mock)
    }

    @Test func `the namespace writes a class's property, reads a struct's and extends a protocol`()
    {
        let lamp = Lamp()
        lamp.events.brightness = 7
        #expect(lamp.level == 7)
        #expect(Point(x: 2).events.doubled == 4)
        #expect(lamp.events.title == "lamp")
    }

    @Test func `a writable property is a binder`() async {
        let lamp = Lamp()
        lamp.events.level.send(3)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(lamp.level == 3)
        let queue = DispatchQueue(label: "lamp")
        lamp.events[binding: \.level, on: queue].send(4)
        await drain(queue)
        #expect(lamp.level == 4)
    }
}

private protocol Titled { var name: String { get } }

private final class Lamp: HasEvents, Titled, Sendable {
    private let stored = Shared(0)
    let name = "lamp"
    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }
}

private struct Point: HasEvents { let x: Int }

extension EventNamespace where Base == Lamp {
    fileprivate var brightness: Int {
        get { base.level }
        nonmutating set { base.level = newValue }
    }
}

extension EventNamespace where Base == Point {
    fileprivate var doubled: Int { base.x * 2 }
}

extension EventNamespace where Base: Titled {
    fileprivate var title: String { base.name }
}
