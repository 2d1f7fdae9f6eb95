// SPDX-License-Identifier: MIT
import CGPSSerial
import GPSIO
import Glibc
import Synchronization

/// How the time of a pulse on a tty's line is taken.
package enum PulseMethod: String, Hashable, Sendable, CaseIterable {
    /// The kernel wakes a thread when a line changes (`TIOCMIWAIT`). It needs no processor time.
    case wait
    /// A thread asks for the line's level around the expected time (`TIOCMGET`). It is not late,
    /// unless the driver answers with what it has stored.
    case poll
}

/// Which pulses of a tty are used, and how; `nil` for what is to be found.
package struct PulseOptions: Hashable, Sendable {
    package var line: PulseLineName?
    package var edge: Pulse.Edge?
    package var method: PulseMethod?

    /// Creates options with which everything is found.
    package init() {}
}

/// A line with pulses, and how exactly their time is taken.
package struct PulseReport: Hashable, Sendable, CustomStringConvertible {
    package let method: PulseMethod
    package let choice: PulseSurvey.Choice
    /// The time between two queries in nanoseconds; `nil` if a thread waits.
    package var spacing: Int64?
    /// The largest error of a pulse's time in nanoseconds.
    package var uncertainty: Int64
    /// How late a thread that polls is woken, in nanoseconds.
    package var lateness: Int64 = 0
    /// Why another method is used than the requested one; `nil` if it is that one.
    package var reason: String?

    /// Creates a report of the requested method.
    package init(
        method: PulseMethod, choice: PulseSurvey.Choice, spacing: Int64? = nil, uncertainty: Int64
    ) {
        (self.method, self.choice) = (method, choice)
        (self.spacing, self.uncertainty) = (spacing, uncertainty)
    }

    package var description: String {
        let edge = choice.edge == .assert ? "assert (rising)" : "clear (falling)"
        let queries = spacing.map { ", a query takes \(Self.text($0))" } ?? ""
        let gain =
            lateness >= 100_000
            ? "; threads wake up to \(Self.text(lateness)) late, which --cpu-latency 10 shortens"
            : ""
        let cause = reason.map { " (\($0))" } ?? ""
        return "by \(method == .poll ? "polling" : "waiting")\(cause) on \(choice.line.name), edge "
            + "\(edge)\(queries), uncertainty \(Self.text(uncertainty))\(gain)"
    }

    /// Returns nanoseconds as microseconds: `1.5 µs`.
    private static func text(_ nanoseconds: Int64) -> String {
        nanoseconds < 10_000
            ? "\(Double((nanoseconds + 50) / 100) / 10) µs" : "\((nanoseconds + 500) / 1000) µs"
    }
}

/// Receives the pulses on a line of an open tty. A thread takes their times. It ends when this
/// object is released.
package final class PulseLine: Sendable {
    /// An event of the line.
    package enum Event: Hashable, Sendable {
        case pulse(Pulse)
        /// A line has changed during the search for pulses.
        case moving
        /// A way of taking the time of pulses works.
        case found(PulseReport)
        /// Pulses were not found, for this reason. The search continues.
        case notFound(String)
    }

    private let reader: PulseReader

    /// Starts to search for pulses. Throws `.ioFailed` if that is not possible.
    init(
        _ fd: CInt, name: String, options: PulseOptions,
        _ handle: @escaping @Sendable (Event) -> Void
    ) throws(DeviceError) {
        let copy = fcntl(fd, F_DUPFD_CLOEXEC, 3)
        let wake = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        reader = PulseReader(copy, wake: wake, options: options, handle)
        guard copy >= 0, wake >= 0 else {
            throw DeviceError(of: .ioFailed, device: name, errno: errno)
        }
        let error = DetachedThread.start("gps-pps") { [reader] in reader.run() }
        guard error == 0 else { throw DeviceError(of: .ioFailed, device: name, errno: error) }
    }

    deinit { reader.close() }

    /// Returns whether a path names a tty or a link to one. Does not open the tty.
    package static func isPossible(at path: String) -> Bool { cpps_is_tty(path) }
}

/// The thread of a `PulseLine`.
private final class PulseReader: Sendable {
    /// The way in which a method ends.
    private enum Outcome {
        /// The line is no longer read, or the device is gone.
        case ended
        /// The driver does not support the method, for this reason.
        case unsupported(String)
        case failed(CInt)
        /// Pulses were missing for ten seconds.
        case noPulses(PulseSurvey)
    }

    private static let timeout: Int64 = 10_000_000_000
    private static let pause: Int64 = 60_000_000_000
    /// The interval of readings while the line and the edge are not known.
    private static let surveyInterval: Int64 = 8_000_000
    /// A USB device is asked in at least 60 µs. A faster answer is what the driver has stored, when
    /// the device last sent its lines: up to an interval of its interrupt endpoint ago.
    private static let fastestUSBQuery: Int64 = 30_000
    private static let interruptInterval: Int64 = 1_000_000
    /// Some drivers report only one edge of RI, which may be the trailing one. Then a thread is woken
    /// with the same levels again and again.
    private static let unchangedLimit = 3
    /// The time in which a thread is woken: what processors need to leave their deepest sleep.
    private static let wakingTime: Int64 = 500_000

    private let fd: CInt
    private let wake: CInt
    private let options: PulseOptions
    private let handle: @Sendable (PulseLine.Event) -> Void
    private let isClosed = Atomic<Bool>(false)
    private let waiting: Mutex<Waiting>

    init(
        _ fd: CInt, wake: CInt, options: PulseOptions,
        _ handle: @escaping @Sendable (PulseLine.Event) -> Void
    ) {
        (self.fd, self.wake, self.options, self.handle) = (fd, wake, options, handle)
        waiting = Mutex(Waiting(options))
    }

    deinit {
        for descriptor in [fd, wake] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        _ = eventfd_write(wake, 1)
    }

    /// Sleeps until a time. Returns `false` if the line is no longer read.
    private func sleep(until time: Int64) -> Bool {
        cpps_sleep(wake, time) && !isClosed.load(ordering: .relaxed)
    }

    func run() {
        cpps_sleep_precisely()
        var reported: Set<String> = []
        while true {
            guard let query = queryTime() else { return }
            let isUSB = cpps_is_usb(fd)
            let isStored = isUSB && query < Self.fastestUSBQuery
            let methods =
                options.method.map { [$0] } ?? (isStored ? [.wait, .poll] : [.poll, .wait])
            var cause: String?
            for method in methods {
                var outcome =
                    method == .wait
                    ? wait(isUSB: isUSB) : poll(isStored: isStored, because: cause)
                if case .unsupported(let reason) = outcome {
                    cause = reason
                    // Without a request, polling is another of the methods.
                    guard options.method != nil else { continue }
                    outcome = poll(isStored: isStored, because: cause)
                }
                switch outcome {
                case .ended: return
                case .failed(let error): return handle(.notFound(Self.text(error)))
                case .unsupported: break
                case .noPulses(let survey):
                    // The next method may find pulses, but not before ten more seconds.
                    let reason = reason(survey)
                    if reported.insert(reason).inserted { handle(.notFound(reason)) }
                }
            }
            guard sleep(until: cpps_now() + Self.pause) else { return }
        }
    }

    /// Returns the usual duration of a query in nanoseconds; `nil`, after a report, if the driver
    /// does not answer.
    private func queryTime() -> Int64? {
        var durations: [Int64] = []
        for _ in 0..<5 {
            var levels = cpps_levels()
            switch cpps_read(fd, &levels) {
            case 0: durations.append(levels.end - levels.start)
            case EIO, ENODEV, ENXIO, EBADF: return nil
            case ENOTTY, EINVAL:
                handle(
                    .notFound("\(driver) shows no lines: use an adapter with CTS, DCD, DSR or RI"))
                return nil
            case let error:
                handle(.notFound(Self.text(error)))
                return nil
            }
        }
        return durations.sorted()[2]
    }

    private static func text(_ error: CInt) -> String {
        "its lines cannot be read (\(String(cString: strerror(error)))): unplug it and plug it in again"
    }

    private var driver: String {
        var name = [CChar](repeating: 0, count: 64)
        cpps_driver(fd, &name, UInt(name.count))
        let text = String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? "its driver" : "the driver \(text)"
    }

    /// Returns why a survey of ten seconds has found no pulses, and what to do.
    private func reason(_ survey: PulseSurvey) -> String {
        let names = survey.movingLines.map(\.name).joined(separator: ", ")
        if let line = survey.symmetricLine {
            return "the pulses on \(line.name) last half a second, so that both edges are "
                + "possible: give --pps-edge, or configure shorter pulses"
        }
        return names.isEmpty
            ? "no line changed in 10 s, although the receiver has a fix: check that it sends a pulse, "
                + "that its wire leads to \(options.line?.name ?? "CTS, DCD, DSR or RI"), and "
                + "that \(driver) reports this line"
            : "\(names) changes, but not once per second: configure the receiver to send one pulse "
                + "per second, of 10 to 400 ms"
    }

    // MARK: Waiting

    /// The state of the thread that waits.
    private struct Waiting: Sendable {
        /// The largest error of a pulse's time in nanoseconds.
        let uncertainty: Int64
        var survey: PulseSurvey
        var choice: PulseSurvey.Choice?
        var isActive = false
        var isMoving = false
        var levels: UInt32?
        /// How often in a row the thread was woken although the levels were the former ones.
        var unchangedCount = 0
        var error: CInt = 0

        init(_ options: PulseOptions, uncertainty: Int64 = PulseReader.wakingTime) {
            self.uncertainty = uncertainty
            survey = PulseSurvey(line: options.line, edge: options.edge)
        }
    }

    private func wait(isUSB: Bool) -> Outcome {
        let lines = options.line.map { [$0] } ?? PulseLineName.allCases
        let mask = lines.reduce(0) { $0 | $1.bit }
        let uncertainty = isUSB ? Self.interruptInterval : Self.wakingTime
        waiting.withLock { $0 = Waiting(options, uncertainty: uncertainty) }
        // Safety: the thread has ended when this function returns, and `self` outlives that.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let handler: @convention(c) (UnsafeMutableRawPointer?, CInt, cpps_levels) -> Void = {
            guard let context = $0 else { return }
            // Safety: as above.
            Unmanaged<PulseReader>.fromOpaque(context).takeUnretainedValue().changed($1, $2)
        }
        guard let watch = cpps_watch(fd, mask, handler, context) else { return .failed(errno) }
        defer { cpps_unwatch(watch) }
        var end = cpps_now() + Self.timeout
        while true {
            let isWoken = !cpps_sleep(wake, end)
            if isClosed.load(ordering: .sequentiallyConsistent) { return .ended }
            if isWoken {
                var count: eventfd_t = 0
                eventfd_read(wake, &count)
            }
            let state = waiting.withLock { $0 }
            switch state.error {
            case 0: break
            case EIO, ENODEV, ENXIO, EBADF: return .ended
            case ENOTTY, EINVAL, EOPNOTSUPP: return .unsupported("\(driver) has no TIOCMIWAIT")
            default: return .failed(state.error)
            }
            if let choice = state.choice, end != .max {
                end = .max
                handle(
                    .found(
                        PulseReport(
                            method: .wait, choice: choice, uncertainty: uncertainty)))
            } else if state.choice == nil, state.unchangedCount >= Self.unchangedLimit {
                return .unsupported("\(driver) reports only one edge")
            } else if !isWoken {
                return .noPulses(state.survey)
            }
        }
    }

    private func changed(_ error: CInt, _ levels: cpps_levels) {
        let (event, isNews) = waiting.withLock { state -> (PulseLine.Event?, Bool) in
            guard error == 0 else {
                state.error = error
                return (nil, true)
            }
            guard let choice = state.choice else {
                let isSame = exchange(&state.levels, with: levels.lines) == levels.lines
                state.unchangedCount = isSame ? state.unchangedCount + 1 : 0
                state.choice = state.survey.receive(
                    levels.lines, at: levels.start, tolerance: Self.interruptInterval * 5)
                state.isActive = state.choice != nil
                let isMoving = !state.survey.movingLines.isEmpty
                let isFirst = !exchange(&state.isMoving, with: isMoving) && isMoving
                let isNews =
                    state.choice != nil || state.unchangedCount >= Self.unchangedLimit
                return (isFirst ? .moving : nil, isNews)
            }
            let isActive = choice.isActive(levels.lines)
            guard exchange(&state.isActive, with: isActive) != isActive, isActive else {
                return (nil, false)
            }
            return (.pulse(Pulse(time: levels.start, uncertainty: state.uncertainty)), false)
        }
        if let event { handle(event) }
        if isNews { _ = eventfd_write(wake, 1) }
    }

    // MARK: Polling

    private func poll(isStored: Bool, because reason: String? = nil) -> Outcome {
        var survey = PulseSurvey(line: options.line, edge: options.edge)
        let end = cpps_now() + Self.timeout
        var choice: PulseSurvey.Choice?
        var former = cpps_now()
        var isMoving = false
        while choice == nil {
            var levels = cpps_levels()
            if let failure = read(&levels) { return failure }
            let middle = former + (levels.end - former) / 2
            choice = survey.receive(levels.lines, at: middle, tolerance: Self.surveyInterval)
            former = levels.start
            if !isMoving, !survey.movingLines.isEmpty {
                isMoving = true
                handle(.moving)
            }
            guard levels.end < end else { return .noPulses(survey) }
            guard sleep(until: levels.start + Self.surveyInterval) else { return .ended }
        }
        guard let choice else { return .ended }
        return track(choice, isStored: isStored, because: reason) ?? .noPulses(survey)
    }

    /// Reads the levels. Returns how the method ends if that fails.
    private func read(_ levels: inout cpps_levels) -> Outcome? {
        switch cpps_read(fd, &levels) {
        case 0: nil
        case EIO, ENODEV, ENXIO, EBADF: .ended
        case let error: .failed(error)
        }
    }

    /// Reports the pulses until the line is no longer read. Returns `nil` if there is none.
    private func track(
        _ choice: PulseSurvey.Choice, isStored: Bool, because reason: String?
    ) -> Outcome? {
        /// The number of edges after which the tracker's figures are typical.
        let typical = 5
        let end = cpps_now() + Self.timeout
        var tracker = PulseTracker()
        var edgeCount = 0
        var levels = cpps_levels()
        while !isClosed.load(ordering: .relaxed) {
            let now = cpps_now()
            let due = tracker.next(after: now)
            if due > now, !sleep(until: due) { return .ended }
            if let failure = read(&levels) { return failure }
            let reading = LineReading(
                start: levels.start, end: levels.end, isActive: choice.isActive(levels.lines))
            guard let edge = tracker.receive(reading) else {
                if edgeCount == 0, levels.end > end { return nil }
                continue
            }
            let uncertainty = edge.uncertainty + (isStored ? Self.interruptInterval : 0)
            handle(.pulse(Pulse(time: edge.time, uncertainty: uncertainty)))
            edgeCount += 1
            guard edgeCount == typical else { continue }
            var report = PulseReport(
                method: .poll, choice: choice, spacing: tracker.spacing, uncertainty: uncertainty)
            (report.lateness, report.reason) = (tracker.lateness, reason)
            handle(.found(report))
        }
        return .ended
    }
}
