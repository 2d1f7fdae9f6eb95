// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers
import NMEA
import Synchronization
import UBX

/// Analyses received bytes and creates a `LineAnalysis`. It does not use a clock.
package struct LineAnalyzer: Sendable {
    private var current = RateAnalysis()
    /// The best report at an earlier baud rate; `nil` if there is none.
    private var best: LineAnalysis?
    private var total = 0
    private var triedRates: Set<BaudRate> = []

    /// Creates an analyzer that has received nothing.
    package init() {}

    /// Processes bytes that were read with `settings`; `nil` if the line has no settings.
    package mutating func push(_ bytes: [UInt8], at settings: LineSettings?) {
        use(settings)
        total += bytes.count
        current.push(bytes)
    }

    /// Counts bytes without examining them. It is used while more bytes arrive than a serial line
    /// can carry.
    mutating func skip(_ count: Int) {
        total += count
    }

    /// Handles a pause in the data.
    package mutating func silence(at settings: LineSettings?) {
        use(settings)
        current.silence()
    }

    /// Handles the end of a recording.
    package mutating func finish() {
        current.finish()
    }

    /// Records that the current baud rate is correct.
    package mutating func found() {
        current.report.isRateFound = true
    }

    /// The pause after which `silence` must be called, because it ends an epoch or may end an
    /// incomplete frame; `nil` if there is neither.
    package var silenceTolerance: Duration? { current.decoder.silenceTolerance }

    /// Returns the report for the baud rate with the best result, with totals for all baud rates.
    /// `seconds` is the duration of the observation.
    package func report(after seconds: Double) -> LineAnalysis {
        var report = current.report
        if let best, best.messageScore > report.messageScore { report = best }
        report.seconds = seconds
        report.totalByteCount = total
        report.triedRates = triedRates
        return report
    }

    private mutating func use(_ settings: LineSettings?) {
        guard let settings else { return }
        triedRates.insert(settings.baudRate)
        guard settings != current.report.settings else { return }
        if current.report.byteCount > 0, current.report.messageScore >= best?.messageScore ?? 0 {
            best = current.report
        }
        current = RateAnalysis()
        current.report.settings = settings
    }
}

/// The data received at one baud rate.
private struct RateAnalysis: Sendable {
    var report = LineAnalysis()
    var decoder = NMEADecoder()
    private var search = FrameSearch()
    private var firstEpoch: TimeOfDay?
    private var earlierEpochs = 0

    mutating func push(_ bytes: [UInt8]) {
        report.byteCount += bytes.count
        report.textCount += bytes.count { 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A }
        search.push(bytes)
        decode { $0.push(bytes.span, $1) }
        report.frames.merge(search.frames) { $1 }
    }

    mutating func silence() {
        decode { $0.silence($1) }
    }

    mutating func finish() {
        decode { $0.finish($1) }
    }

    private mutating func decode(
        _ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void
    ) {
        var report = self.report
        var firstEpoch = self.firstEpoch
        var earlierEpochs = self.earlierEpochs
        step(&decoder) { event in
            switch event {
            // A compass sends epochs without positions and satellites, which do not count.
            case .fix(let fix, _) where fix.isAttitudeOnly: break
            case .fix(let fix, let view):
                report.epochCount += 1
                if fix.mode > .noFix {
                    report.fixCount += 1
                    report.positionFix = fix
                }
                report.fix = fix
                if !view.signals.isEmpty { report.view = view }
                guard let time = fix.timeOfDay else { break }
                guard let first = firstEpoch else {
                    (firstEpoch, earlierEpochs) = (time, report.epochCount)
                    break
                }
                // The period is computed from the receiver's times, because arrival times depend on
                // many other factors.
                let day = TimeOfDay.day
                let passed = (time.nanoseconds - first.nanoseconds + day) % day
                let count = report.epochCount - earlierEpochs
                report.period = count > 0 ? Double(passed) / 1e9 / Double(count) : nil
            case .satellites(let view): report.view = view
            case .sentence(let raw):
                let name = raw.name
                if report.formatters.count < 64 || report.formatters[name] != nil {
                    report.formatters[name, default: 0] += 1
                }
                report.hasMeasurements = report.hasMeasurements || raw.hasMeasurements
                guard name == "TXT" else { break }
                report.antenna = raw.antenna ?? report.antenna
                report.chip.receive(text: String(decoding: raw.bytes, as: UTF8.self))
            case .ubx(let frame): report.chip.receive(frame)
            case .rejected, .tagBlock: break
            }
        }
        let statistics = decoder.statistics
        report.validCount = statistics.valid
        report.sentenceCount = statistics.valid - statistics.ubxDecoded
        report.badChecksumCount = statistics[.badChecksum]
        report.noChecksumCount = statistics[.noChecksum]
        report.otherDatum = decoder.otherDatum
        report.frames[.ubx] = statistics.ubxFrames > 0 ? statistics.ubxFrames : nil
        report.frames[.rtcm3] = statistics.rtcmFrames > 0 ? statistics.rtcmFrames : nil
        self.report = report
        self.firstEpoch = firstEpoch
        self.earlierEpochs = earlierEpochs
    }
}

extension RawSentence {
    /// The formatter of a standard sentence, or the address of other sentences.
    fileprivate var name: String {
        if case .standard = address.kind { return String(address.description.suffix(3)) }
        return address.description
    }

    /// The state of the antenna in a message such as `$GPTXT,01,01,02,ANTSTATUS=OPEN*2B` or
    /// `$GNTXT,01,01,02,ANTENNA OPEN*…`; `nil` for other messages.
    fileprivate var antenna: String? {
        let words = bytes.split { !(0x41...0x5A ~= $0) }.map { String(decoding: $0, as: UTF8.self) }
        guard let index = words.firstIndex(where: { $0 == "ANTSTATUS" || $0 == "ANTENNA" }) else {
            return nil
        }
        let states = ["OK", "OPEN", "SHORT"]
        return words[index...].first { states.contains($0) }
    }
}

extension LineAnalysis {
    /// The score of a baud rate: the higher, the better. Any number of valid messages scores higher
    /// than any number of sentences with a wrong or missing checksum.
    fileprivate var messageScore: Int {
        let messages = sentenceCount + frames.values.reduce(0, +)
        return messages > 0 ? 1_000_000 + messages : badChecksumCount + noChecksumCount
    }
}

/// The data that was received on a line, or read from a file.
package struct LineAnalysis: Sendable {
    /// The duration of the observation in seconds.
    package var seconds = 0.0
    /// The number of bytes received at all baud rates.
    package var totalByteCount = 0
    /// The settings of the line with the best result; `nil` if the source has no baud rate, or is a
    /// pseudo terminal, whose baud rate has no meaning.
    package var settings: LineSettings?
    /// Whether the settings are certain, because messages were received with them.
    var isRateFound = false
    var triedRates: Set<BaudRate> = []

    // The properties below describe only the data received with these settings.

    /// How long data was received with `settings`, in seconds.
    var lineSeconds = 0.0
    /// The number of bytes read with `settings`.
    package var byteCount = 0
    /// The number of bytes that are printable ASCII, CR or LF.
    package var textCount = 0
    /// The number of valid sentences and of decoded UBX messages.
    package var validCount = 0
    /// The number of sentences with a correct checksum, not counting UBX messages.
    var sentenceCount = 0
    /// The number of sentences with a wrong checksum.
    package var badChecksumCount = 0
    /// The number of sentences without a checksum.
    var noChecksumCount = 0
    /// The datum of the positions if the receiver reports one other than WGS 84; otherwise `nil`.
    var otherDatum: String?
    package var frames: [BinaryProtocol: Int] = [:]
    /// The number of sentences by formatter, such as `RMC` or `GSV`.
    package var formatters: [String: Int] = [:]
    /// A u-blox chip's reports about itself.
    var chip = ChipState()
    /// Whether a sentence was received that may contain measurements: one that is neither TXT nor
    /// proprietary.
    var hasMeasurements = false
    /// The number of epochs, with or without a position.
    package var epochCount = 0
    /// The number of epochs with a position.
    package var fixCount = 0
    /// The time between epochs in seconds; `nil` if unknown.
    package var period: Double?
    /// The fix of the last epoch; `nil` before the first one.
    package var fix: Fix?
    /// The fix of the last epoch with a position; `nil` before the first one.
    package var positionFix: Fix?
    /// The last satellite view that was not empty; `nil` if there was none.
    package var view: SatelliteView?
    /// The state of the antenna: `OPEN`, `SHORT` or `OK`; `nil` if the receiver does not report it.
    var antenna: String?

    /// The delays from each epoch to the first byte of its burst, in seconds by the system's clock.
    /// They are measured only for receivers on serial lines.
    package var delays: [Double] = []
    /// The line with pulses, and how exactly they can be measured; `nil` if none were found.
    package var pulses: PulseReport?
    /// Why a line that changes carries no pulses, and what to do; `nil` if none changes.
    package var pulseObstacle: String?

    /// The number of bytes per second above which data counts as a flood. A line at 921,600 baud
    /// carries less.
    static let flood = 130_000

    /// Creates an empty report.
    package init() {}

    /// Whether more bytes per second arrived than any serial line can carry, for at least one
    /// second.
    var isFlooded: Bool { Double(totalByteCount) > Double(Self.flood) * max(seconds, 1) }

    /// The most frequent binary protocol and the number of its frames; `nil` if there are no
    /// frames, or if `hasMeasurements` is `true` or an epoch was received.
    var binaryProtocol: (kind: BinaryProtocol, count: Int)? {
        hasMeasurements || epochCount > 0 ? nil : BinaryProtocol.most(of: frames)
    }

    /// The fraction of sentences with a wrong checksum, from 0 to 1, among those that have one.
    var badFraction: Double {
        let all = sentenceCount + badChecksumCount
        return all == 0 ? 0 : Double(badChecksumCount) / Double(all)
    }

    /// The fraction of bytes that are text, from 0 to 1; 0 if no bytes were read.
    var textFraction: Double { byteCount == 0 ? 0 : Double(textCount) / Double(byteCount) }
}

/// The state of a u-blox chip, as reported in messages that it sends without being asked.
struct ChipState: Sendable {
    /// The firmware and hardware version; `nil` unless another program has requested it.
    package private(set) var version: MonVER?
    private var antenna: UBXAntennaState?
    /// The worst jamming state that was reported; `nil` if none was reported.
    package private(set) var jamming: UBXJammingState?
    /// The worst spoofing state that was reported; `nil` if none was reported.
    private var spoofing: UBXSpoofingState?
    /// Whether the chip reported that it had more data to send than its line can carry.
    private var hasOverrun = false
    /// The number of messages by name, such as `NAV-PVT`.
    package private(set) var messages: [String: Int] = [:]

    /// Whether the chip sends UBX messages, but not those that contain a position and its validity:
    /// NAV-PVT, NAV-PVAT, NAV-SOL or NAV-HPPOSLLH, or both NAV-POSLLH and NAV-STATUS.
    var lacksSolution: Bool {
        func has(_ id: UBXMessageID) -> Bool { id.name.map { messages[$0] != nil } ?? false }
        return !messages.isEmpty
            && ![NavPVT.id, NavPVAT.id, NavSOL.id, NavHPPOSLLH.id].contains(where: has)
            && !(has(NavPOSLLH.id) && has(NavSTATUS.id))
    }

    mutating func receive(_ frame: UBXFrame) {
        let name = frame.id.name ?? frame.id.description
        if messages.count < 64 || messages[name] != nil { messages[name, default: 0] += 1 }
        switch frame.id {
        case MonVER.id:
            if let message = MonVER(frame), !message.software.isEmpty { version = message }
        case MonHW.id:
            guard let message = MonHW(frame) else { break }
            antenna = message.antenna
            note(message.flags.jamming)
        case MonRF.id:
            for block in MonRF(frame)?.blocks ?? [] {
                note(block.jamming)
                if block.antenna != .unknown { antenna = block.antenna }
            }
        case SecSIG.id:
            guard let message = SecSIG(frame) else { break }
            note(message.jamming)
            note(message.spoofing)
        case NavSTATUS.id: NavSTATUS(frame).map { note($0.detection.spoofing) }
        case MonCOMMS.id:
            if MonCOMMS(frame)?.errors.isBufferFull == true { hasOverrun = true }
        case MonTXBUF.id:
            if MonTXBUF(frame)?.errors.isBufferFull == true { hasOverrun = true }
        default: UBXNotice(frame).map { receive(text: $0.text) }
        }
    }

    /// Processes a text of the chip, in a TXT sentence or a notice. Some firmware reports only in
    /// this way that its output buffer is full.
    mutating func receive(text: String) {
        if text.contains("txbuf alloc") { hasOverrun = true }
    }

    private mutating func note(_ state: UBXJammingState) {
        if state.rawValue > jamming?.rawValue ?? 0 { jamming = state }
    }

    private mutating func note(_ state: UBXSpoofingState) {
        if state.rawValue > spoofing?.rawValue ?? 0 { spoofing = state }
    }

    /// The findings about the chip, its antenna, interference and overload of its line.
    var findings: [Finding] {
        [identity, antennaFinding, interference, falseSignals, overrun].compactMap(\.self)
    }

    private var identity: Finding? {
        guard let version else { return nil }
        let module = version.module ?? "u-blox"
        let number = version.protocolVersion.map { ", protocol \(String($0, decimals: 2))" } ?? ""
        return .ok("The chip is a \(module) with firmware \(version.firmware)\(number).")
    }

    private var antennaFinding: Finding? {
        guard antenna == .open || antenna == .short else { return nil }
        let state = antenna == .open ? "not connected" : "short-circuited"
        return .note(
            "The receiver reports that its antenna is \(state).",
            remedy: "check the antenna's plug and cable")
    }

    private var interference: Finding? {
        guard jamming == .warning || jamming == .critical else { return nil }
        let effect = jamming == .critical ? ", and has lost its fix" : ""
        return .note(
            "The receiver reports interference\(effect).",
            remedy: "move it away from other electronics and transmitters")
    }

    private var falseSignals: Finding? {
        guard spoofing == .indicated || spoofing == .affirmed else { return nil }
        return .note(
            "The receiver reports that its signals may be false (spoofing).",
            remedy: "do not rely on its position or its time")
    }

    private var overrun: Finding? {
        guard hasOverrun else { return nil }
        return .note(
            "The receiver drops messages: it sends more than its serial line can carry.",
            remedy: "set a higher baud rate, or disable some messages")
    }
}

/// Measures the pulses on the lines of an open tty.
private final class PulseObservation: Sendable {
    private struct State {
        var line: PulseLine?
        var isMoving = false
        var report: PulseReport?
        var obstacle: String?
    }

    private let state = Mutex(State())

    /// Begins to measure. Returns `nil` if that is not possible.
    init?(_ connection: SerialConnection) {
        let line = try? connection.pulses(PulseOptions()) { [weak self] event in
            self?.state.withLock { state in
                switch event {
                case .pulse: break
                case .moving: state.isMoving = true
                case .found(let report): (state.report, state.obstacle) = (report, nil)
                case .notFound(let reason): if state.isMoving { state.obstacle = reason }
                }
            }
        }
        // Without the lines, everything else is examined all the same.
        guard let line else { return nil }
        state.withLock { $0.line = line }
    }

    var report: PulseReport? { state.withLock { $0.report } }
    var obstacle: String? { state.withLock { $0.obstacle } }
    /// Whether nothing more is to be expected soon.
    var isClear: Bool {
        state.withLock { !$0.isMoving || $0.report != nil || $0.obstacle != nil }
    }
}

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
    /// The pulses on the tty's lines; `nil` for other sources, and if they cannot be read.
    private var pulses: PulseObservation?
    /// Copies the bytes for a report; `nil` if none was asked for.
    private(set) var copy: ReceivedCopy?
    /// The start of the current second and the bytes received since. More than `LineAnalysis.flood`
    /// bytes per second are not examined.
    private var window = (start: 0.0, count: 0)

    /// Prepares to read a connection for at most `limit` seconds, even if nothing arrives; `nil` for
    /// the default limits.
    init(
        _ connection: any DeviceConnection, origin: DataOrigin, limit: Double?, poller: Poller,
        copy: ReceivedCopy? = nil
    ) {
        self.poller = poller
        self.copy = copy
        start = poller.now
        line = RateFindingReader(connection, poller: poller)
        self.origin = origin
        self.limit = limit ?? Self.usualLimit
        maximumSilence = limit ?? Self.usualSilence
        let isSerial = connection.serialLine != nil
        isPseudoTerminal = isSerial && Node(connection.name).isPseudoTerminal
        if origin.mayBeLive, !isPseudoTerminal, let line = connection.serialLine {
            timer = BurstTimer(ignoresBaudRate: line.ignoresBaudRate)
            pulses = PulseObservation(line)
        }
    }

    var report: LineAnalysis {
        var report = analyzer.report(after: elapsed)
        report.lineSeconds = report.seconds - lineStart
        report.delays = delays
        (report.pulses, report.pulseObstacle) = (pulses?.report, pulses?.obstacle)
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
        let time = origin.mayBeLive ? SystemClock.now : nil
        copy?.push(bytes, at: time)
        if origin.mayBeLive {
            if elapsed - window.start >= 1 { window = (elapsed, 0) }
            window.count += bytes.count
            guard window.count <= LineAnalysis.flood else { return analyzer.skip(bytes.count) }
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
        if report.fixCount >= 4 {
            guard pulses?.isClear != false else { return false }
            return report.view != nil || report.seconds >= 8
        }
        if report.validCount == 0 || report.binaryProtocol != nil {
            if report.isFlooded { return report.seconds >= 3 }
            return report.seconds >= 4 && report.frames.values.contains { $0 >= 8 }
        }
        return report.seconds >= 10 && report.validCount >= 10
    }
}
