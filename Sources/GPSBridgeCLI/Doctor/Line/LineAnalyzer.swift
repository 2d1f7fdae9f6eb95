// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers
import NMEA

/// Analyses the bytes of a line. It has no clock.
package struct LineAnalyzer: Sendable {
    private var current = RateAnalysis()
    /// The best result at another rate.
    private var best: LineReport?
    private var total = 0
    private var triedRates: Set<BaudRate> = []

    /// An analyzer that has received nothing.
    package init() {}

    /// Analyses bytes that were read with these settings; `nil` if the line has none.
    package mutating func hear(_ bytes: [UInt8], at settings: LineSettings?) {
        use(settings)
        total += bytes.count
        current.hear(bytes)
    }

    /// Counts bytes of a flood that are not examined.
    package mutating func skip(_ count: Int) {
        total += count
    }

    /// Ends the current epoch: the line was silent.
    package mutating func silence(at settings: LineSettings?) {
        use(settings)
        current.silence()
    }

    /// Ends the recording.
    package mutating func finish() {
        current.finish()
    }

    /// Records that the rate is known.
    package mutating func found() {
        current.heard.isRateFound = true
    }

    /// The duration of silence that ends an epoch or an incomplete frame; `nil` if there is none.
    package var silenceTolerance: Duration? { current.decoder.silenceTolerance }

    /// The data received so far, at the rate with the best result.
    package func heard(after seconds: Double) -> LineReport {
        var heard = current.heard
        if let best, best.sense > heard.sense { heard = best }
        heard.seconds = seconds
        heard.totalByteCount = total
        heard.triedRates = triedRates
        return heard
    }

    private mutating func use(_ settings: LineSettings?) {
        guard let settings else { return }
        triedRates.insert(settings.baudRate)
        guard settings != current.heard.settings else { return }
        if current.heard.byteCount > 0, current.heard.sense >= best?.sense ?? 0 {
            best = current.heard
        }
        current = RateAnalysis()
        current.heard.settings = settings
    }
}

/// The data received at one rate.
private struct RateAnalysis: Sendable {
    var heard = LineReport()
    var decoder = NMEADecoder()
    private var search = FrameSearch()
    private var firstEpoch: TimeOfDay?
    private var earlierEpochs = 0

    mutating func hear(_ bytes: [UInt8]) {
        heard.byteCount += bytes.count
        heard.textCount += bytes.count { 0x20...0x7E ~= $0 || $0 == 0x0D || $0 == 0x0A }
        search.push(bytes)
        decode { $0.push(bytes.span, $1) }
        heard.frames.merge(search.frames) { $1 }
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
        var heard = self.heard
        var firstEpoch = self.firstEpoch
        var earlierEpochs = self.earlierEpochs
        step(&decoder) { event in
            switch event {
            // A compass has no sky to see.
            case .fix(let fix, _) where fix.isAttitudeOnly: break
            case .fix(let fix, let view):
                heard.epochCount += 1
                if fix.mode > .noFix { heard.fixCount += 1 }
                heard.fix = fix
                if !view.signals.isEmpty { heard.view = view }
                guard let time = fix.timeOfDay else { break }
                guard let first = firstEpoch else {
                    (firstEpoch, earlierEpochs) = (time, heard.epochCount)
                    break
                }
                // By the receiver's clock: when bytes arrive depends on much else.
                let day: Int64 = 86_400_000_000_000
                let passed = (time.nanoseconds - first.nanoseconds + day) % day
                let count = heard.epochCount - earlierEpochs
                heard.period = count > 0 ? Double(passed) / 1e9 / Double(count) : nil
            case .satellites(let view): heard.view = view
            case .sentence(let raw):
                let name = raw.name
                if heard.formatters.count < 64 || heard.formatters[name] != nil {
                    heard.formatters[name, default: 0] += 1
                }
                heard.hasMeasurements = heard.hasMeasurements || raw.hasMeasurements
                if name == "TXT", let antenna = raw.antenna { heard.antenna = antenna }
            case .ubx(let frame): heard.chip.receive(frame)
            case .rejected, .tagBlock: break
            }
        }
        let statistics = decoder.statistics
        heard.validCount = statistics.valid
        heard.sentenceCount = statistics.valid - statistics.ubxDecoded
        heard.badChecksumCount = statistics[.badChecksum]
        heard.frames[.ubx] = statistics.ubxFrames > 0 ? statistics.ubxFrames : nil
        heard.frames[.rtcm3] = statistics.rtcmFrames > 0 ? statistics.rtcmFrames : nil
        self.heard = heard
        self.firstEpoch = firstEpoch
        self.earlierEpochs = earlierEpochs
    }
}

extension RawSentence {
    /// The formatter, or what stands in its place.
    fileprivate var name: String {
        if case .standard = address.kind { return String(address.description.suffix(3)) }
        return address.description
    }

    /// `$GPTXT,01,01,02,ANTSTATUS=OPEN*2B`, `$GNTXT,01,01,02,ANTENNA OPEN*…`
    fileprivate var antenna: String? {
        let words = bytes.split { !(0x41...0x5A ~= $0) }.map { String(decoding: $0, as: UTF8.self) }
        guard let place = words.firstIndex(where: { $0 == "ANTSTATUS" || $0 == "ANTENNA" }) else {
            return nil
        }
        let states = ["OK", "OPEN", "SHORT"]
        return words[place...].first { states.contains($0) }
    }
}

extension LineReport {
    /// How much of it made sense: right messages first, then what looks like sentences.
    fileprivate var sense: Int {
        let messages = sentenceCount + frames.values.reduce(0, +)
        return messages > 0 ? 1_000_000 + messages : badChecksumCount
    }
}
