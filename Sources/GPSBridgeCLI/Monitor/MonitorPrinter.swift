// SPDX-License-Identifier: MIT
import Devices
import Figures
import GNSS
import Glibc
import NMEA
import Outputs
import Receivers
import Server

/// Turns updates into lines; data goes to standard output, everything else to standard error.
struct MonitorPrinter {
    private let format: MonitorFormat
    private let source: any DeviceSource
    private let plotter: Plotter?
    private var remaining: Int?

    private let output: MonitorOutput
    private var text: TextReports
    private var csv = CSVFormat()
    private var reports: GPSDReports
    private var device: String
    private var dilution = DilutionOfPrecision()
    private var isLost = false
    /// The causes reported since the device was last open.
    private var causes: Set<String> = []

    private var origin: DataOrigin { source.origin }
    /// Whether a receiver that is not there is waited for from the start.
    private var isWaitedFor: Bool { source.capabilities.contains(.hotPlug) }

    init(
        format: MonitorFormat, source: any DeviceSource, remaining: Int?, units: Units?,
        plotter: Plotter?, output: MonitorOutput
    ) {
        self.output = output
        text = TextReports(units: units)
        self.plotter = plotter
        self.format = format
        self.source = source
        self.remaining = remaining
        device = source.name
        reports = Self.reports(of: source.name, source)
    }

    /// Prints a sentence; returns whether that was the last.
    mutating func print(sentence: [UInt8]) throws -> Bool {
        try output.write(sentence + [0x0D, 0x0A])
        return isLast()
    }

    /// Prints an update; returns whether that was the last.
    mutating func print(_ update: ReceiverUpdate) throws -> Bool {
        plotter?.didReceive(update, from: source)
        switch update {
        case .opened(let name): try opened(name)
        case .unavailable(let error): try unavailable(error)
        case .lost(let error): try lost(error)
        case .satellites(let view):
            let dilution = dilution
            if format == .json { try write { $0.report(view, dilution: dilution) } }
        case .epoch(let epoch):
            dilution = epoch.fix.dilution
            try print(epoch)
            return epoch.fix.mode > .noFix && format != .nmea && isLast()
        case .unheard(let bytes): unheard(bytes)
        case .listening(let settings):
            Self.say("listening to \(device) at \(settings)")
        case .understood(let settings):
            Self.say("\(device) speaks at \(settings)")
        case .troubled(let error): Self.say("\(error)")
        case .ended(let statistics, let error):
            if let error { throw error }
            guard statistics.valid > 0 else {
                StandardError.sayNothingValid(in: device)
                throw ExitStatus.nothingFound
            }
            try checkCount("\(device) has ended")
            return true
        }
        return false
    }

    /// Reports missing fixes; call it when the time given is over.
    ///
    /// Throws an `ExitStatus` where fixes are missing and the time given is over.
    func timeIsOver() throws {
        if Signals.received == SIGALRM { try checkCount("the time is over") }
    }

    private func checkCount(_ event: String) throws {
        guard let remaining, remaining > 0 else { return }
        Self.say("\(event), and \(remaining) more were to come")
        throw ExitStatus.nothingFound
    }

    private mutating func isLast() -> Bool {
        guard let count = remaining else { return false }
        remaining = count - 1
        return count <= 1
    }

    private mutating func print(_ epoch: ReceiverEpoch) throws {
        switch format {
        case .screen, .text:
            let line = text.line(
                for: epoch.fix, inView: epoch.satellites.satellites.count, origin: origin)
            try output.write(Array("\(line)\n".utf8))
        case .json:
            let timing = epoch.arrival.flatMap { ReportTiming($0) }
            try write {
                $0.report(epoch.fix, timing)
                $0.reportDeviations(of: epoch.fix)
            }
        case .csv:
            let output = output
            csv.write(epoch.fix)
            try csv.drain { try output.write($0.withUnsafeBytes { Array($0) }) }
        case .nmea: break
        }
    }

    // MARK: Comings and goings

    private mutating func opened(_ name: String) throws {
        device = name
        reports = Self.reports(of: name, source)
        if isLost { Self.say("\(name) is back") }
        if !isLost, isWaitedFor { Self.say("reading \(name)") }
        if format == .csv {
            csv.begin(OutputSource(opened: name, origin: origin))
            if isLost { csv.beginSegment() }
        }
        isLost = false
        causes = []
        guard format == .json else { return }
        let origin = origin
        try write { $0.reportActivated(origin: origin) }
    }

    private mutating func unavailable(_ error: DeviceError) throws {
        // Access to what is plugged in already does not come by itself: waiting would not help.
        let isRefused = error.code == .permissionDenied && causes.isEmpty && !isLost
        guard isLost || isWaitedFor && !isRefused else { throw MonitorFailure(error) }
        let isAbsent = error.code == .noReceiver || error.code == .notFound
        // The loss has been reported.
        if isLost, isAbsent { return }
        guard causes.insert("\(error.code.rawValue) \(error.device)").inserted else { return }
        if error.code == .noReceiver {
            let tried =
                if case .notUnderstood(let ttys) = error.detail {
                    " (nothing was understood from \(ttys.joined(separator: ", ")))"
                } else {
                    ""
                }
            Self.say(
                "no receiver is plugged in\(tried): waiting for one "
                    + "(`gpsbridge monitor simulated` shows a simulated one)")
        } else {
            Self.say("waiting: \(error)")
        }
    }

    private func unheard(_ bytes: Int) {
        let isSerial = source.capabilities.contains(.serialLine)
        if bytes == 0 {
            let advice = isSerial ? " (does another program read it, or has it no power?)" : ""
            Self.say("nothing has come from \(device) yet\(advice)")
        } else {
            let advice =
                switch source.baudRate {
                case let baudRate?: " (try another --baud than \(baudRate), or none)"
                case nil: isSerial ? " (trying other baud rates)" : ""
                }
            Self.say("\(bytes) bytes from \(device), but no valid sentence yet\(advice)")
        }
    }

    private mutating func lost(_ error: DeviceError) throws {
        if error.code == .gpsd { throw MonitorFailure(error) }
        isLost = true
        Self.say("\(device) is gone: waiting for it to come back")
        guard format == .json else { return }
        try write {
            $0.report(Fix())
            $0.reportGone()
        }
    }

    /// A terminal that has been stopped does not stop the reading of the receiver.
    private static func say(_ text: String) {
        StandardError.say(text, limit: 100)
    }

    private static func reports(of device: String, _ source: any DeviceSource) -> GPSDReports {
        GPSDReports(
            device: OutputSource(opened: device, origin: source.origin).name,
            isSimulated: source.origin == .simulated)
    }

    private mutating func write(_ report: (inout GPSDReports) -> Void) throws {
        reports.removeAll()
        report(&reports)
        try output.write(reports.bytes.withUnsafeBufferPointer { Array($0) })
    }
}
