// SPDX-License-Identifier: MIT
import Delegation

/// A control of another library: neither it nor its targets know this module.
final class Knob: Sendable {
    private let targets = Shared<[Int: @Sendable (Int) -> Void]>([:])
    private let stored = Shared(0)
    private let live = LiveToken()

    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }
    var targetCount: Int { targets.value.count }

    func addTarget(_ target: @escaping @Sendable (Int) -> Void) -> Int {
        var id = 0
        targets.update {
            id = ($0.keys.max() ?? 0) + 1
            $0[id] = target
        }
        return id
    }
    func removeTarget(_ id: Int) { targets.update { $0[id] = nil } }

    /// Turns the knob as the user would.
    func turn(to level: Int) {
        stored.value = level
        for target in targets.value.values { target(level) }
    }
}

extension Knob: HasEvents {}

extension EventNamespace where Base == Knob {
    var turned: ControlEvent<Int> {
        ControlEvent(base, on: .immediate) { knob, event in
            let id = knob.addTarget { event.send($0) }
            return { $0.removeTarget(id) }
        }
    }
    var level: ControlProperty<Int> {
        ControlProperty(base, on: .immediate) {
            $0.level
        } set: {
            $0.level = $1
        } attach: { knob, event in
            let id = knob.addTarget { event.send($0) }
            return { $0.removeTarget(id) }
        }
    }
}

/// A control whose targets are objects that it does not retain, as UIKit's are.
final class WeakKnob: Sendable {
    final class Target: Sendable {
        let action: @Sendable (Int) -> Void
        private let live = LiveToken()
        init(_ action: @escaping @Sendable (Int) -> Void) { self.action = action }
    }

    private let targets = MulticastDelegate<Target>()
    private let live = LiveToken()

    func add(_ target: Target) { targets.add(target) }
    func remove(_ target: Target) { targets.remove(target) }
    func turn(to level: Int) { targets.forEach { $0.action(level) } }

    var turned: ControlEvent<Int> {
        ControlEvent(self, on: .immediate) { knob, event in
            let target = Target { event.send($0) }
            knob.add(target)
            return { $0.remove(target) }
        }
    }
}

/// A control of the main actor.
@MainActor final class Slider: HasEvents {
    var position = 0
    private(set) var targets: [Int: () -> Void] = [:]
    private let live = LiveToken()

    func addTarget(_ target: @escaping () -> Void) -> Int {
        let id = (targets.keys.max() ?? 0) + 1
        targets[id] = target
        return id
    }
    func removeTarget(_ id: Int) { targets[id] = nil }
    func slide(to position: Int) {
        self.position = position
        for target in targets.values { target() }
    }
}

extension EventNamespace where Base == Slider {
    var slid: ControlProperty<Int> {
        ControlProperty(base, on: .main) {
            $0.position
        } set: {
            $0.position = $1
        } attach: { slider, event in
            let id = slider.addTarget { [weak slider] in
                if let slider { event.send(slider.position) }
            }
            return { $0.removeTarget(id) }
        }
    }
}
