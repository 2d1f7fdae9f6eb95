// SPDX-License-Identifier: MIT
import CGPSCurses
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSViews

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
        let progress = MonitorProgress(count: count, sources: sources.count)
        let feeds = sources.indices.map {
            ReceiverFeed(
                sources[$0], sources.count == 1 ? .whenUseful : .alongsideOthers, state: state,
                index: $0,
                progress: progress, plotter: plotter)
        }
        let subscriptions = feeds.flatMap { $0.subscribe() }
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
