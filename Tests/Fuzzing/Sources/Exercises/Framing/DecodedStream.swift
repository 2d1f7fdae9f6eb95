// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// All results of decoding a stream, and the conditions that hold for any stream.
struct DecodedStream: Equatable {
    enum Event: Equatable {
        case sentence([UInt8], offset: Int)
        case rejected(Rejection)
        case tagBlock(TagBlock)
        case fix(Fix)
        case satellites(SatelliteView)
        case ubx(UBXMessageID, [UInt8])
    }

    var events: [Event] = []
    var statistics = Statistics()

    /// Decodes pieces one after the other, then the end of the input.
    init(_ pieces: [ArraySlice<UInt8>], _ options: Framer.Options) {
        var decoder = NMEADecoder(options: options)
        for piece in pieces { decoder.push(Array(piece).span) { note($0) } }
        decoder.finish { note($0) }
        statistics = decoder.statistics
    }

    private mutating func note(_ event: DecoderEvent) {
        switch event {
        case .sentence(let raw): events.append(.sentence(raw.bytes, offset: raw.offset))
        case .rejected(let rejection): events.append(.rejected(rejection))
        case .tagBlock(let block): events.append(.tagBlock(block))
        case .fix(let fix, _): events.append(.fix(fix))
        case .satellites(let view): events.append(.satellites(view))
        case .ubx(let frame):
            let payload = frame.payload
            events.append(.ubx(frame.id, payload.indices.map { payload[$0] }))
        }
    }

    /// Checks that every sentence and every rejection is counted once, and that all values are
    /// valid.
    func checkSums() throws(Broken) {
        var sentences = 0
        var rejections: [Rejection.Reason: Int] = [:]
        for event in events {
            switch event {
            case .sentence: sentences += 1
            case .rejected(let rejection): rejections[rejection.reason, default: 0] += 1
            case .fix(let fix): try fix.check()
            case .satellites(let view): try view.check()
            case .tagBlock, .ubx: break
            }
        }
        let misunderstood: [Rejection.Reason] = [.tooFewFields, .badAddress, .gsvIncomplete]
        let refused = misunderstood.reduce(0) { $0 + (rejections[$1] ?? 0) }
        try expect(
            sentences == statistics.valid - statistics.ubxDecoded + refused,
            "\(sentences) sentences, \(statistics.valid) valid and \(refused) refused")
        // A list that another one interrupts is counted without a sentence being rejected.
        for reason in Rejection.Reason.allCases where reason != .gsvIncomplete {
            try expect(
                statistics[reason] == rejections[reason] ?? 0, "\(reason) is counted wrongly")
        }
    }
}

extension Fix {
    /// Checks conditions that hold for every fix.
    func check() throws(Broken) {
        try expect(coordinate?.isValid ?? true, "\(coordinate as Any) is not a place")
        try expect((mode == .noFix) == (coordinate == nil), "\(mode) with \(coordinate as Any)")
        try expect(time == nil || time?.time == timeOfDay, "\(time as Any) is another time of day")
        try expect((course ?? 0) >= 0 && (course ?? 0) < 360, "course \(course as Any)")
        try expect((speed ?? 0) >= 0, "speed \(speed as Any)")
        let numbers = [
            altitude, ellipsoidalAltitude, speed, accuracy.horizontal, accuracy.vertical,
        ]
        for case let number? in numbers {
            try expect(number.isFinite, "\(number) in \(self)")
        }
    }
}

extension SatelliteView {
    /// Checks conditions that hold for every view.
    func check() throws(Broken) {
        for (one, next) in zip(signals, signals.dropFirst()) {
            let isOrdered = (one.id, one.signal) < (next.id, next.signal)
            try expect(isOrdered, "\(one.id) \(one.signal) before \(next.id) \(next.signal)")
        }
        for signal in signals {
            try expect(abs(signal.elevation ?? 0) <= 90, "\(signal)")
            try expect(0..<360 ~= signal.azimuth ?? 0, "\(signal)")
        }
    }
}
