// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers
import NMEA

/// Analyses received bytes and creates a `LineReport`. It does not use a clock.
package struct LineAnalyzer: Sendable {
    private var current = RateAnalysis()
    /// The best report at an earlier baud rate; `nil` if there is none.
    private var best: LineReport?
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
    package mutating func skip(_ count: Int) {
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
    package func report(after seconds: Double) -> LineReport {
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
    var report = LineReport()
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

extension LineReport {
    /// The score of a baud rate: the higher, the better. Any number of valid messages scores higher
    /// than any number of sentences with a wrong or missing checksum.
    fileprivate var messageScore: Int {
        let messages = sentenceCount + frames.values.reduce(0, +)
        return messages > 0 ? 1_000_000 + messages : badChecksumCount + noChecksumCount
    }
}
