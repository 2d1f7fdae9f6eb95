// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// Reads a connection until the receiver's condition is certain or the time is up.
struct LineObservation {
    /// How long to read by default, in seconds.
    private static let usualLimit = 15.0
    /// How long to wait by default for the first byte, in seconds. A working receiver usually sends
    /// within this time, and its bytes are received even at a wrong baud rate.
    private static let usualSilence = 6.0

    private var line: RateFindingReader
    private let origin: DataOrigin
    private let isPseudoTerminal: Bool
    private let limit: Double
    /// How long to wait for the first byte, in seconds.
    private let maximumSilence: Double
    private let poller: Poller
    private let start: MonotonicInstant
    private var analyzer = LineAnalyzer()
    /// When the current line settings were applied, in seconds since the start.
    private var lineStart = 0.0
    private var lastSettings: LineSettings?
    /// Measures when bursts begin; `nil` for sources other than serial lines, whose delay has other
    /// causes.
    private var timer: BurstTimer?
    private var delays: [Double] = []
    private var epochCount = 0
    /// The start of the current second and the bytes received since. More than `LineReport.flood`
    /// bytes per second are not examined.
    private var window = (start: 0.0, count: 0)

    /// Prepares to read a connection for at most `limit` seconds, even if nothing arrives; `nil` for
    /// the default limits.
    init(
        _ connection: any DeviceConnection, origin: DataOrigin, limit: Double?, poller: Poller
    ) {
        self.poller = poller
        start = poller.now
        line = RateFindingReader(connection, poller: poller)
        self.origin = origin
        self.limit = limit ?? Self.usualLimit
        maximumSilence = limit ?? Self.usualSilence
        let isSerial = connection.serialLine != nil
        isPseudoTerminal = isSerial && Node(connection.name).isPseudoTerminal
        if origin.mayBeLive, !isPseudoTerminal, let line = connection.serialLine {
            timer = BurstTimer(ignoresBaudRate: line.ignoresBaudRate)
        }
    }

    var report: LineReport {
        var report = analyzer.report(after: elapsed)
        report.lineSeconds = report.seconds - lineStart
        report.delays = delays
        // A pseudo terminal carries the same bytes at any baud rate, unless a simulation behind it
        // makes others unreadable.
        if isPseudoTerminal, report.byteCount == report.totalByteCount { report.settings = nil }
        return report
    }

    /// Reads the line. Returns the error of the device; `nil` if there was none.
    mutating func run() async -> DeviceError? {
        while !isClear {
            // The settings are stored before reading, because `read` may change the baud rate
            // before it returns.
            let settings = line.settings
            if settings != lastSettings { (lastSettings, lineStart) = (settings, elapsed) }
            do throws(DeviceError) {
                switch try await line.read(until: deadline) {
                case .bytes(let bytes): receive(bytes, settings)
                case .silence:
                    analyzer.silence(at: settings)
                    noteDelay()
                case .end:
                    analyzer.finish()
                    return nil
                }
            } catch {
                analyzer.finish()
                return error
            }
            if line.hasFound { analyzer.found() }
        }
        return nil
    }

    private mutating func receive(_ bytes: [UInt8], _ settings: LineSettings?) {
        if origin.mayBeLive {
            if elapsed - window.start >= 1 { window = (elapsed, 0) }
            window.count += bytes.count
            guard window.count <= LineReport.flood else { return analyzer.skip(bytes.count) }
        }
        timer?.receive(byteCount: bytes.count, baudRate: settings?.baudRate.rawValue)
        analyzer.push(bytes, at: settings)
        noteDelay()
    }

    /// Measures the delay of an epoch that has just been completed, using the system's clock.
    private mutating func noteDelay() {
        guard timer != nil else { return }
        let report = analyzer.report(after: 0)
        guard report.epochCount != epochCount else { return }
        epochCount = report.epochCount
        guard let start = timer?.takeStart(), let fix = report.fix, fix.mode > .noFix,
            let time = fix.time
        else { return }
        delays.append((Double(start) - Double(time.unixNanoseconds)) / 1e9)
    }

    private var elapsed: Double { poller.now.seconds(since: start) }

    private var deadline: MonotonicInstant? {
        guard origin != .replay else { return nil }
        let next = poller.now + (analyzer.silenceTolerance ?? .milliseconds(500))
        return min(next, start + .seconds(limit))
    }

    /// Whether the observation can end, because more data would not change the result or the time
    /// is up.
    private var isClear: Bool {
        guard origin != .replay else { return Task.isCancelled }
        let report = self.report
        if report.seconds >= limit { return true }
        if report.totalByteCount == 0 { return report.seconds >= maximumSilence }
        // Some receivers send satellite lists only every few seconds.
        if report.fixCount >= 4 { return report.view != nil || report.seconds >= 8 }
        if report.validCount == 0 || report.binaryProtocol != nil {
            if report.isFlooded { return report.seconds >= 3 }
            return report.seconds >= 4 && report.frames.values.contains { $0 >= 8 }
        }
        return report.seconds >= 10 && report.validCount >= 10
    }
}
