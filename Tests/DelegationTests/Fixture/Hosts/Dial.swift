// SPDX-License-Identifier: MIT
import Delegation
import Dispatch

/// An object with a property that the program and the user change.
final class Dial: HasEvents, Sendable {
    private let stored = Shared(0)
    private let changes = Event<Int>()
    private let presses = Event<Void>()
    private let caption = Shared<String?>(nil)
    private let captions = Event<String?>()
    private let executor: DispatchQueue?
    private let live = LiveToken()

    init(on executor: DispatchQueue? = nil) { self.executor = executor }

    var level: Int {
        get { stored.value }
        set { stored.value = newValue }
    }

    /// Changes the level as the user would.
    func turn(to level: Int) {
        stored.value = level
        changes.send(level)
    }
    func press() { presses.send(()) }
    func write(_ text: String?) { captions.send(text) }

    var levelControl: ControlProperty<Int> {
        guard let executor else {
            return ControlProperty(
                changes: changes, on: .immediate, get: { [weak self] in self?.level },
                set: { [weak self] in self?.level = $0 })
        }
        return ControlProperty(
            changes: changes, on: executor, get: { [weak self] in self?.level },
            set: { [weak self] in self?.level = $0 })
    }
    var pressed: ControlEvent<Void> {
        if let executor {
            ControlEvent(presses, on: executor)
        } else {
            ControlEvent(presses, on: .immediate)
        }
    }
    var captionControl: ControlProperty<String?> {
        ControlProperty(
            changes: captions, on: .immediate, get: { [caption] in .some(caption.value) },
            set: { [caption] in caption.value = $0 })
    }
    var text: String? { caption.value }
}
