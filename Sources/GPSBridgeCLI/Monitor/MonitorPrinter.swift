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
    /// The name of a recording; `nil` if that is what it was opened by.
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
    private var reporter: ConditionReporter
    private var hasBeenOpen = false
    /// How many attitudes without a receiver have come in a row, which a table of positions has no row for.
    private var attitudeCount = 0

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
        reporter = ConditionReporter(source, isAlone ? .whenUseful : .alongsideOthers)
        reporter.alternative = " (`gpsbridge monitor simulated` shows a simulated one)"
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
        switch reporter.report(update) {
        case .message(let message): Self.say(message)
        case .failure(let error): return progress.fail(MonitorFailure(error))
        case nil: break
        }
        if let device = update.openedDevice { opened(device) }
        switch update {
        case .condition(.lost, _): lost()
        case .condition(.ended(let ending), _):
            if 1..<Self.mostAttitudes ~= attitudeCount { sayNoPosition() }
            progress.ended(device, status(ending))
        case .condition, .notice: break
        case .satellites(let view):
            if format == .json { write { $0.report(view) } }
        case .epoch(let epoch):
            set(origin: epoch.origin)
            print(epoch)
            // The kernel may have woken the reader on this processor: it would wait for the rest of the cycle. Not with
            // other receivers, which would wait where another program takes the turn.
            if isAlone, !canWait { sched_yield() }
            if isCounted(epoch.fix) { progress.countOne() }
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

    /// The status of a source that has ended; `nil` if it simply was at its end.
    private func status(_ ending: ReceiverCondition.Ending) -> ExitStatus? {
        if let error = ending.error {
            return error.code == .binaryProtocol || error.code == .noTrack ? .nothingFound : .failed
        }
        guard ending.statistics.valid == 0 else { return nil }
        StandardError.sayNothingValid(in: device, limit: Self.timeout)
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
        if format == .csv {
            csv.begin(printed)
            if hasBeenOpen { csv.beginSegment() }
        }
        hasBeenOpen = true
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

    private mutating func lost() {
        guard format == .json else { return }
        write {
            $0.report(Fix())
            $0.reportGone()
        }
    }

    /// A terminal that has been stopped does not stop the reading of the receiver.
    static func say(_ text: String) {
        StandardError.say(text, limit: timeout)
    }

    /// The time for which a message waits for room, in milliseconds.
    private static let timeout: CInt = 100

    private static func reports(of source: OutputSource) -> GPSDReports {
        GPSDReports(device: source.name, isSimulated: source.origin == .simulated)
    }

    private mutating func write(_ report: (inout GPSDReports) -> Void) {
        reports.removeAll()
        report(&reports)
        output.write(reports.bytes.withUnsafeBufferPointer { Array($0) }, canWait: canWait)
    }
}
