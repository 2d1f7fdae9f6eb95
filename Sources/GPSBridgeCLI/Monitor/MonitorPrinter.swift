// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSReceivers
import GPSServer
import Glibc
import NMEA

/// Turns a receiver's updates into lines; data goes to standard output, everything else to standard error.
struct MonitorPrinter {
    private let source: any DeviceSource
    /// The name of a recording; `nil` where that is what it was opened by.
    private let title: String?
    /// Whether there is no other source.
    private let isAlone: Bool
    private let format: MonitorFormat
    private let plotter: Plotter?
    private let progress: MonitorProgress

    private let output: MonitorOutput
    /// Whether the source can wait for the reader of the output.
    private let canWait: Bool
    private var text: TextReports
    private var csv: CSVFormat
    private var reports: GPSDReports
    private var device: String
    /// The device as outputs name it.
    private var printed: OutputSource
    private var isLost = false
    /// How many attitudes without a receiver have come in a row, which a table of positions has no row for.
    private var attitudeCount = 0
    /// The causes reported since the device was last open.
    private var causes: Set<String> = []

    private var isHotPlugged: Bool { source.capabilities.contains(.hotPlug) }

    /// Prints one source; `csv` has its header behind it.
    init(
        source: any DeviceSource, title: String?, isAlone: Bool, format: MonitorFormat,
        units: Units?, csv: CSVFormat, plotter: Plotter?, output: MonitorOutput,
        progress: MonitorProgress
    ) {
        self.progress = progress
        self.output = output
        canWait = source.capabilities.contains(.pausing)
        self.isAlone = isAlone
        text = TextReports(units: units)
        self.csv = csv
        self.plotter = plotter
        self.format = format
        self.source = source
        self.title = title
        device = source.name
        printed = OutputSource(name: title ?? FileName.shown(source.name), origin: source.origin)
        reports = Self.reports(of: printed)
    }

    /// Prints a sentence, unless there is nothing to wait for any more.
    func print(sentence: [UInt8]) {
        guard progress.end.isPending else { return }
        output.write(sentence + [0x0D, 0x0A], canWait: canWait)
        progress.countOne()
    }

    /// Prints an update, unless there is nothing to wait for any more.
    mutating func print(_ update: ReceiverUpdate) {
        guard progress.end.isPending else { return }
        plotter?.didReceive(update, from: source)
        switch update {
        case .opened(let name): opened(name)
        case .unavailable(let error):
            if isWaited(for: error) {
                waiting(error)
            } else {
                progress.fail(MonitorFailure(error))
            }
        case .lost(let error):
            if error.code == .gpsd {
                progress.fail(MonitorFailure(error))
            } else {
                lost(error)
            }
        case .satellites(let view):
            if format == .json { write { $0.report(view) } }
        case .epoch(let epoch):
            set(origin: epoch.origin)
            print(epoch)
            // The kernel may have woken the reader on this processor: it would wait for the rest of the cycle. Not with
            // other receivers, which would wait where another program takes the turn.
            if isAlone, !canWait { sched_yield() }
            if isCounted(epoch.fix) { progress.countOne() }
        case .unheard(let bytes): unheard(bytes)
        case .listening(let settings):
            Self.say("listening to \(device) at \(settings)")
        case .understood(let settings):
            Self.say("\(device) speaks at \(settings)")
        case .troubled(let error): Self.say("\(error)")
        case .silent(let seconds): Self.say("nothing has come from \(device) for \(seconds) s")
        case .ended(let statistics, let error):
            if 1..<Self.mostAttitudes ~= attitudeCount { sayNoPosition() }
            progress.ended(device, status(statistics, error))
        }
    }

    /// Whether `--count` counts it: a fix, and where a compass is read what is printed of it.
    private func isCounted(_ fix: Fix) -> Bool {
        switch format {
        case .nmea: false
        case .csv: fix.mode > .noFix
        case .screen, .text, .json: fix.mode > .noFix || fix.isAttitudeOnly
        }
    }

    /// Reports why a source has ended, unless it simply was at its end.
    private func status(_ statistics: Statistics, _ error: DeviceError?) -> ExitStatus? {
        if let error {
            Self.say("\(error)")
            return error.code == .binaryProtocol || error.code == .noTrack ? .nothingFound : .failed
        }
        guard statistics.valid == 0 else { return nil }
        StandardError.sayNothingValid(in: device, limit: Self.patience)
        return .nothingFound
    }

    /// The number of attitudes without a fix after which the line is taken to have no receiver.
    private static let mostAttitudes = 100

    private func sayNoPosition() {
        Self.say(
            "\(device) sends headings or other angles, but no position: `--format json` prints them"
        )
    }

    private mutating func print(_ epoch: ReceiverEpoch) {
        switch format {
        case .screen, .text:
            let line = text.line(
                for: epoch.fix, inView: epoch.satellites.satellites.count, origin: epoch.origin)
            let named = isAlone ? "\(line)\n" : "\(line) \(TerminalText.safe(printed.name))\n"
            output.write(Array(named.utf8), canWait: canWait)
        case .json:
            let timing = epoch.arrival.flatMap { ReportTiming($0) }
            write {
                $0.report(epoch.fix, timing)
                $0.reportDeviations(of: epoch.fix)
            }
        case .csv where epoch.fix.isAttitudeOnly:
            attitudeCount += 1
            if attitudeCount == Self.mostAttitudes { sayNoPosition() }
        case .csv:
            attitudeCount = 0
            csv.write(epoch.fix)
            let (output, canWait) = (output, canWait)
            csv.drain { output.write($0.withUnsafeBytes { Array($0) }, canWait: canWait) }
        case .nmea: break
        }
    }

    // MARK: Comings and goings

    private mutating func opened(_ name: String) {
        device = name
        printed = OutputSource(name: title ?? FileName.shown(name), origin: source.origin)
        reports = Self.reports(of: printed)
        if isLost { Self.say("\(name) is back") }
        if !isLost, isHotPlugged || !causes.isEmpty { Self.say("reading \(name)") }
        if format == .csv {
            csv.begin(printed)
            if isLost { csv.beginSegment() }
        }
        isLost = false
        causes = []
        guard format == .json else { return }
        let origin = printed.origin
        write { $0.reportActivated(origin: origin) }
    }

    /// Writes from where the fixes that follow come, if that has changed.
    private mutating func set(origin: DataOrigin) {
        guard origin != printed.origin else { return }
        let isNews = origin.subtype != printed.origin.subtype
        printed.origin = origin
        switch format {
        case .csv: csv.begin(printed)
        case .json:
            reports.isSimulated = origin == .simulated
            if isNews { write { $0.reportActivated(origin: origin) } }
        case .screen, .text, .nmea: break
        }
    }

    /// Whether a receiver is waited for that cannot be opened.
    private func isWaited(for error: DeviceError) -> Bool {
        // Access to what is plugged in already does not come by itself: waiting would not help.
        let isRefused = error.code == .permissionDenied && causes.isEmpty
        return isLost || !isAlone || isHotPlugged && !isRefused
    }

    private mutating func waiting(_ error: DeviceError) {
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

    private mutating func lost(_ error: DeviceError) {
        isLost = true
        Self.say("\(device) is gone: waiting for it to come back")
        guard format == .json else { return }
        write {
            $0.report(Fix())
            $0.reportGone()
        }
    }

    /// A terminal that has been stopped does not stop the reading of the receiver.
    static func say(_ text: String) {
        StandardError.say(text, limit: patience)
    }

    /// How long a message waits for room, in milliseconds.
    private static let patience: CInt = 100

    private static func reports(of source: OutputSource) -> GPSDReports {
        GPSDReports(device: source.name, isSimulated: source.origin == .simulated)
    }

    private mutating func write(_ report: (inout GPSDReports) -> Void) {
        reports.removeAll()
        report(&reports)
        output.write(reports.bytes.withUnsafeBufferPointer { Array($0) }, canWait: canWait)
    }
}
