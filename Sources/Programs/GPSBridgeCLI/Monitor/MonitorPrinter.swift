// SPDX-License-Identifier: MIT
import AIS
import Delegation
import GNSS
import GPSFormats
import GPSReceivers
import GPSServer
import Glibc
import NMEA

/// Prints a receiver's updates: data to standard output, messages to standard error.
struct MonitorPrinter {
    private var receiver: ReceiverModel
    /// The name of a recording in the output; `nil` to use the name of the opened device.
    private let title: String?
    /// Whether this is the only source.
    private let isAlone: Bool
    private let format: MonitorFormat
    private let plotter: Plotter?
    private let progress: MonitorProgress

    private let output: MonitorOutput
    /// Whether the source can pause while the reader of the output is slow.
    private let canWait: Bool
    private let units: Units?
    private var text: FixLines
    private var csv: CSVFormat
    /// Finds gaps in the track, after which new segments begin in CSV.
    private var gaps = FixThinning(FixSelection())
    private var reports: GPSDReports
    private var vessels: AISReports
    /// The name and the origin of the source, as last written to the output.
    private var printed: OutputSource
    /// The number of consecutive epochs with an attitude but no position. CSV has no rows for them.
    private var attitudeCount = 0
    private var hasEnded = false

    /// Creates a printer for one source. `csv` formats rows; its header has already been written.
    init(
        source: any DeviceSource, title: String?, isAlone: Bool, format: MonitorFormat,
        units: Units?, csv: CSVFormat, plotter: Plotter?, output: MonitorOutput,
        progress: MonitorProgress
    ) {
        self.progress = progress
        self.output = output
        canWait = source.capabilities.contains(.pausing)
        self.isAlone = isAlone
        self.units = units
        text = FixLines(units: units)
        self.csv = csv
        self.plotter = plotter
        self.format = format
        self.title = title
        printed = OutputSource(name: title ?? FileName.shown(source.name), origin: source.origin)
        reports = GPSDReports(device: printed.name, isSimulated: printed.origin == .simulated)
        vessels = AISReports(device: printed.name)
        receiver = ReceiverModel(source, isAlone ? .whenUseful : .alongsideOthers)
        receiver.alternative = " (`gpsbridge monitor simulated` shows a simulated one)"
    }

    /// Prints a sentence, unless the monitor has reached its end.
    func print(sentence: [UInt8]) {
        guard progress.end.isPending else { return }
        output.write(sentence + [0x0D, 0x0A], canWait: canWait)
        progress.didReceiveData()
        progress.countOne()
    }

    /// Prints the JSON objects for an AIS sentence, unless the monitor has reached its end.
    mutating func print(vessel sentence: [UInt8]) {
        guard progress.end.isPending else { return }
        progress.didReceiveData()
        for object in vessels.objects(of: sentence, [AISReports.Options(isScaled: true)]) {
            output.write(Array(object.text.utf8) + [0x0A], canWait: canWait)
        }
    }

    /// Adds the state of the anchor watch and the route to later reports, and prints changes as
    /// messages.
    mutating func set(_ navigation: Navigation) {
        guard progress.end.isPending else { return }
        reports.navigation = navigation
        for text in navigation.messages { Self.print("\(receiver.device): \(text)") }
    }

    /// Prints an update, unless the monitor has reached its end.
    mutating func print(_ update: ReceiverUpdate) {
        guard progress.end.isPending else { return }
        plotter?.didReceive(update, from: receiver.source)
        switch receiver.receive(update) {
        case .message(let message):
            StandardError.report(
                message, limit: Self.timeout, level: update.level,
                cause: update.cause(of: receiver.source.name))
        case .failure(let error): return progress.fail(error)
        case nil: break
        }
        if let device = update.openedDevice { opened(device) }
        switch update {
        case .condition(.lost, _): lost()
        case .condition(.ended(let ending), _):
            if 1..<Self.attitudeLimit ~= attitudeCount { reportNoPosition() }
            end(status(ending))
        case .condition, .notice: break
        case .satellites(let view):
            progress.didReceiveData()
            if format == .json { write { $0.report(view) } }
        case .epoch(let epoch):
            progress.didReceiveData()
            set(origin: epoch.origin)
            print(epoch)
            // Lets the program that reads the output run at once if the kernel has woken it on this
            // processor. With several receivers, this would delay the other receivers.
            if isAlone, !canWait { sched_yield() }
            if isCounted(epoch.fix) { progress.countOne() }
        }
    }

    /// Returns whether a fix counts for `--count`: it must have a position or, except in CSV, be
    /// the attitude of a compass. Sentences are counted separately.
    private func isCounted(_ fix: Fix) -> Bool {
        switch format {
        case .nmea: false
        case .csv: fix.mode > .noFix
        case .screen, .text, .json: fix.mode > .noFix || fix.isAttitudeOnly
        }
    }

    /// Reports once that no more fixes of the source will count.
    private mutating func end(_ status: ExitStatus?) {
        if !exchange(&hasEnded, with: true) { progress.ended(receiver.device, status) }
    }

    /// Returns the exit status for a source that has ended; `nil` if it succeeded.
    private func status(_ ending: ReceiverCondition.Ending) -> ExitStatus? {
        guard ending.isEmpty else { return ending.error == nil ? nil : .failed }
        if ending.error == nil {
            StandardError.reportNoSentence(in: receiver.device, limit: Self.timeout)
        }
        return .nothingFound
    }

    /// The number of consecutive attitudes without a position after which a message reports that
    /// the line has no satellite receiver.
    private static let attitudeLimit = 100

    private func reportNoPosition() {
        Self.print(
            "\(receiver.device) sends headings or other angles, but no position: `--format json` prints them"
        )
    }

    private mutating func print(_ epoch: ReceiverEpoch) {
        switch format {
        case .screen, .text:
            let line =
                text.line(
                    for: epoch.fix, inView: epoch.satellites.satellites.count, origin: epoch.origin)
                + (reports.navigation?.waypoint?.way(in: units ?? .metric)
                    .map { " \(TerminalText.safe($0))" } ?? "")
            let named = isAlone ? "\(line)\n" : "\(line) \(TerminalText.safe(printed.name))\n"
            output.write(Array(named.utf8), canWait: canWait)
        case .json:
            let timing = epoch.arrival.flatMap { ReportTiming($0) }
            write {
                $0.report(epoch.fix, timing)
                $0.reportDeviations(of: epoch.fix)
            }
        case .csv where epoch.fix.isAttitudeOnly:
            gaps.endSegment()
            attitudeCount += 1
            if attitudeCount == Self.attitudeLimit {
                reportNoPosition()
                // None of the next fixes will count, either.
                if progress.isCounting { end(.nothingFound) }
            }
        case .csv:
            attitudeCount = 0
            if epoch.fix.coordinate == nil {
                gaps.endSegment()
            } else if gaps.decision(on: epoch.fix).beginsSegment {
                csv.beginSegment()
            }
            csv.write(epoch.fix)
            let (output, canWait) = (output, canWait)
            csv.drain { output.write($0.withUnsafeBytes { Array($0) }, canWait: canWait) }
        case .nmea: break
        }
    }

    // MARK: Changes of condition

    private mutating func opened(_ name: String) {
        printed = OutputSource(name: title ?? FileName.shown(name), origin: receiver.origin)
        reports.begin(device: printed.name, isSimulated: printed.origin == .simulated)
        vessels = AISReports(device: printed.name)
        if format == .csv { csv.begin(printed) }
        guard format == .json else { return }
        let origin = printed.origin
        write { $0.reportActivated(origin: origin) }
    }

    /// Records the origin of the next fixes, and writes it if it has changed.
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
        gaps.endSegment()
        guard format == .json else { return }
        write {
            $0.report(Fix())
            $0.reportGone()
        }
    }

    /// Writes a message to standard error. A stopped terminal delays the receiver only briefly.
    static func print(_ text: String) {
        StandardError.report(text, limit: timeout)
    }

    /// How long a message waits for a blocked standard error, in milliseconds.
    private static let timeout: CInt = 100

    private mutating func write(_ report: (inout GPSDReports) -> Void) {
        reports.removeAll()
        report(&reports)
        output.write(reports.bytes.withUnsafeBufferPointer { Array($0) }, canWait: canWait)
    }
}
