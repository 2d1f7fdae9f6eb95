// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSReceivers
import GPSViews
import Glibc
import Synchronization

/// The state of the screen. Receivers and keys change it, and drawing reads it.
///
/// The lock is held only while data is copied, so receivers never wait for drawing.
final class ScreenState: Sendable {
    /// Sent when there is something to draw.
    let changes = Event<Void>()

    private let state: Mutex<State>

    fileprivate struct State {
        var models: [ScreenModel]
        /// The models at the moment when the screen was frozen; `nil` if it is not frozen.
        var frozen: (models: [ScreenModel], moment: ClockReading)?
        var settings: ScreenSettings
        var isDirty = true
        var notes = ScreenNotes()
    }

    /// The data of one frame.
    struct Picture {
        let models: [ScreenModel]
        let settings: ScreenSettings
        let moment: ClockReading
        let notes: ScreenNotes
    }

    /// Creates a state. `titles` contains the names of the sources as given by the user.
    init(_ sources: [any DeviceSource], titles: [String], _ settings: ScreenSettings) {
        let models = zip(sources, titles).map { source, title in
            ScreenModel(name: TerminalText.safe(title), origin: source.origin)
        }
        state = Mutex(State(models: models, settings: settings))
    }

    /// Changes the model of the receiver with this index.
    func update(_ index: Int, _ change: (inout ScreenModel, ClockReading) -> Void) {
        let moment = ClockReading.now
        let isNews = state.withLock { state -> Bool in
            change(&state.models[index], moment)
            return state.setDirty(unless: state.frozen != nil)
        }
        if isNews { changes.send(()) }
    }

    /// Handles keys. Returns whether one of them was `q`, which ends the program.
    func press(_ keys: [Key]) -> Bool {
        var isOver = false
        let isNews = state.withLock { state -> Bool in
            var isNews = false
            for key in keys {
                let answer = state.settings.press(key, receivers: state.models.count)
                if case .quit = answer { isOver = true }
                if case .repaint = answer { state.notes.insert(.repaint) }
                if case .nothing = answer { continue }
                isNews = true
            }
            if state.settings.isFrozen != (state.frozen != nil) {
                state.frozen = state.settings.isFrozen ? (state.models, .now) : nil
            }
            return isNews && state.setDirty()
        }
        if isNews { changes.send(()) }
        return isOver
    }

    /// Limits scrolling to the number of lines that did not fit on the canvas.
    func limitScroll(to canvas: Canvas) {
        state.withLock { $0.settings.limitScroll(to: canvas) }
    }

    /// Requests a redraw, because the terminal has changed or a second has passed.
    func note(_ notes: ScreenNotes) {
        let isNews = state.withLock { state -> Bool in
            state.notes.formUnion(notes)
            return state.setDirty()
        }
        if isNews { changes.send(()) }
    }

    /// Returns the data for the next frame; `nil` if nothing has changed.
    func takePicture() -> Picture? {
        state.withLock { state in
            guard state.isDirty else { return nil }
            defer {
                state.isDirty = false
                state.notes = []
            }
            var settings = state.settings
            settings.message = StandardError.lastHeld(within: .seconds(10))
                .map { TerminalText.safe($0) }
            let moment = state.frozen?.moment ?? .now
            let models = state.frozen?.models ?? state.models
            settings.zone = LocalZone(at: moment.unix)
            if models.indices.contains(settings.selected),
                let time = models[settings.selected].fix?.time
            {
                settings.fixZone = LocalZone(at: time.unixNanoseconds)
            }
            return Picture(
                models: models, settings: settings, moment: moment, notes: state.notes)
        }
    }
}

extension LocalZone {
    /// Creates this machine's time zone with the offset that applies at a time, which is given as
    /// nanoseconds of Unix time.
    fileprivate init(at nanoseconds: Int64) {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else {
            self.init()
            return
        }
        self.init(
            offset: local.tm_gmtoff, name: local.tm_zone.map { String(cString: $0) } ?? "")
    }
}

extension ScreenState.State {
    /// Marks the screen as changed, unless `isHidden` is `true`. Returns `true` if this call marked
    /// it.
    fileprivate mutating func setDirty(unless isHidden: Bool = false) -> Bool {
        guard !isDirty, !isHidden else { return false }
        isDirty = true
        return true
    }
}
