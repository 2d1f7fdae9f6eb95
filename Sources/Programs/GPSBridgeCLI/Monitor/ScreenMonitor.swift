// SPDX-License-Identifier: MIT
import CGPSCurses
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSViews
import Glibc
import Synchronization

/// Shows receivers on a screen that fills the terminal, until the user quits.
struct ScreenMonitor {
    let sources: [any DeviceSource]
    /// The names of the sources as given by the user.
    let titles: [String]
    /// The number of fixes of all sources after which the monitor ends; `nil` for no limit.
    let count: Int?
    /// The units at the start. The user can change them with a key.
    let units: Units
    /// Whether the receiver is also recorded.
    let isRecording: Bool
    /// The address of the page that is also served; `nil` without `--web`.
    let pageAddress: String?
    /// Collects a plot for the only source; `nil` without `--plot`.
    let plotter: Plotter?
    /// Whether the terminal's bell rings when an alarm begins.
    let ringsBell: Bool

    /// The minimum time between frames, for at most ten frames per second.
    private static let pause = Duration.milliseconds(100)

    func run() async throws {
        var terminal = try Terminal()
        // The terminal is also restored after an error, before messages are printed.
        defer { terminal.close() }
        try terminal.enter()
        var settings = ScreenSettings()
        settings.isASCII = terminal.isASCII
        settings.units = units
        settings.isRecording = isRecording
        settings.pageAddress = pageAddress
        let state = ScreenState(sources, titles: titles, settings)
        let progress = MonitorProgress(count: count, sources: sources)
        let subscriptions = sources.indices.flatMap { subscribe(to: $0, state, progress) }
        defer { for subscription in subscriptions { subscription.dispose() } }
        let alarms = ReceiverPool.shared.alarmChanges.observe { [ringsBell] in
            if $0.isAlarm, ringsBell { state.note(.alarm) }
        }
        defer { alarms.dispose() }
        let input = terminal
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { _ = try await progress.end.value }
            group.addTask { await Self.readKeys(input, state) }
            group.addTask { await Self.watchNotes(state) }
            group.addTask { await Self.count(state) }
            group.addTask { [terminal] in try await Self.draw(terminal, state) }
            // The first task that ends stops the others: after a key, a signal, an error or the
            // loss of the terminal.
            let result = await group.nextResult()
            try progress.cancelled()
            try result?.get()
        }
    }

    /// Passes the updates of the receiver with this index to the screen, the plot and the progress.
    private func subscribe(
        to index: Int, _ state: ScreenState, _ progress: MonitorProgress
    ) -> [ScopedSubscription] {
        let (source, plotter) = (sources[index], plotter)
        let session = ReceiverPool.shared.session(for: source)
        return [
            session.navigation?.changes.observe { navigation in
                state.update(index) { model, _ in model.navigation = navigation }
            }.scoped,
            session.sentences.observe { bytes in
                progress.didReceiveData()
                state.update(index) { $0.stream.count(sentence: bytes, at: $1) }
            }.scoped,
            session.bytes.observe { bytes in
                state.update(index) { model, moment in
                    model.stream.note(bytes)
                    model.raw.push(bytes, at: moment)
                }
            }.scoped,
            session.rejections.observe { rejection in
                state.update(index) { $0.stream.count(rejection, at: $1) }
            }.scoped,
            session.join { update in
                // Updates after the last requested fix are not plotted.
                if progress.end.isPending { plotter?.didReceive(update, from: source) }
                let output = state.update(index) { $0.didReceive(update, at: $1) }
                if case .failure(let error) = output { return progress.fail(error) }
                // If the source was never open, there is nothing to show, so the command ends.
                if case .condition(.ended(let ending), let former) = update,
                    let error = ending.error, !former.isOpen
                {
                    progress.end.reject(error)
                }
                guard case .epoch(let epoch) = update else { return }
                progress.didReceiveData()
                if epoch.fix.mode > .noFix || epoch.fix.isAttitudeOnly { progress.countOne() }
            },
        ].compactMap(\.self)
    }

    /// Reads keys until `q` is pressed or the terminal is closed.
    private static func readKeys(_ terminal: Terminal, _ state: ScreenState) async {
        while await terminal.keys.readable() == .ready {
            guard let keys = terminal.pressed() else { return }
            if state.press(keys) { return }
            // In the background, the keys remain readable until the process stops.
            if keys.isEmpty { _ = await Poller.shared.sleep(until: .now + .milliseconds(50)) }
        }
    }

    private static func watchNotes(_ state: ScreenState) async {
        let descriptor = Descriptor(ccurses_event_descriptor(), owned: false)
        while await descriptor.readable() == .ready {
            state.note(ScreenNotes(rawValue: ccurses_read_events()))
        }
    }

    /// Requests a redraw every second, also without new data, for clocks and the age of data.
    private static func count(_ state: ScreenState) async {
        while !Task.isCancelled {
            let rest = 1_000_000_000 - ClockReading.now.unix % 1_000_000_000
            let next = MonotonicInstant.now + .nanoseconds(rest)
            guard await Poller.shared.sleep(until: next) == .timedOut else { return }
            state.note([])
        }
    }

    private static func draw(_ terminal: Terminal, _ state: ScreenState) async throws {
        var terminal = terminal
        var changes = state.changes.values(buffering: .newest(1)).makeAsyncIterator()
        repeat {
            guard let picture = state.takePicture() else { continue }
            if picture.notes.contains(.stopping) {
                try terminal.suspend()
            } else if picture.notes.contains(.continued) {
                try terminal.resume()
            }
            // The size may be that of the last frame again, but the terminal has cut its content.
            if !picture.notes.isDisjoint(with: [.repaint, .resized]) { terminal.forget() }
            let (width, height) = terminal.size
            let canvas = Screen.draw(
                picture.models, picture.settings, at: picture.moment, width: width,
                height: height)
            try terminal.show(canvas)
            if picture.notes.contains(.alarm) { try terminal.ring() }
            state.limitScroll(to: canvas)
            let pause = await Poller.shared.sleep(until: MonotonicInstant.now + Self.pause)
            guard pause == .timedOut else { return }
        } while await changes.next() != nil
    }
}

/// Events to handle before the next frame: changes of the terminal, alarms and requests.
private struct ScreenNotes: OptionSet {
    let rawValue: UInt32

    /// The size of the terminal has changed (SIGWINCH).
    static let resized = ScreenNotes(rawValue: ccurses_resized.rawValue)
    /// The program is being stopped (SIGTSTP).
    static let stopping = ScreenNotes(rawValue: ccurses_stopping.rawValue)
    /// The program continues (SIGCONT).
    static let continued = ScreenNotes(rawValue: ccurses_continued.rawValue)
    /// An alarm has begun.
    static let alarm = ScreenNotes(rawValue: 1 << 16)
    /// The user has requested that every cell is redrawn.
    static let repaint = ScreenNotes(rawValue: 1 << 17)
}

extension ClockReading {
    /// The current readings of the system's clocks.
    static var now: ClockReading {
        ClockReading(
            unix: SystemClock.nanoseconds ?? 0, steady: MonotonicInstant.now.nanoseconds)
    }
}

/// The state of the screen. Receivers and keys change it, and drawing reads it.
///
/// The lock is held only while data is copied, so receivers never wait for drawing.
private final class ScreenState: Sendable {
    /// Sent when there is something to draw.
    let changes = Event<Void>()

    private let state: Mutex<State>

    fileprivate struct State {
        var models: [ScreenModel]
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
            ScreenModel(
                source, name: TerminalText.safe(title),
                policy: sources.count == 1 ? .whenUseful : .alongsideOthers)
        }
        state = Mutex(State(models: models, settings: settings))
    }

    /// Changes the model of the receiver with this index. Returns the result of `change`.
    @discardableResult
    func update<Result: Sendable>(
        _ index: Int, _ change: (inout ScreenModel, ClockReading) -> Result
    ) -> Result {
        let moment = ClockReading.now
        let (result, isNews) = state.withLock { state in
            (change(&state.models[index], moment), state.setDirty(unless: state.frozen != nil))
        }
        if isNews { changes.send(()) }
        return result
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
