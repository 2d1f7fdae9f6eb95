// SPDX-License-Identifier: MIT
import CMeter
import GNSS
import GPSFormats
import NMEA

/// A task to measure. It reads bytes, and returns a count.
struct Work: Sendable {
    /// The result of a run.
    struct Tally {
        var sentences = 0
        /// Sum of all latitudes, to be compared with the C program's.
        var check: Double?
        /// The bytes written; `nil` for work without output.
        var written: Int?

        /// Adds a latitude to the sum, except 90°: some receivers print it as `8960.0000`, which the C
        /// program does not read.
        mutating func add(_ coordinate: Coordinate?) {
            guard let latitude = coordinate?.latitude, latitude < 90 else { return }
            check? += latitude
        }
    }

    let name: String
    let run: @Sendable ([UInt8]) -> Tally

    /// All tasks. Each includes the previous ones.
    static let all = [framing, decoding, fixes, conversion, track]

    /// Prevents the compiler from removing the computation of a value.
    @inline(__always)
    static func keep<Value>(_ value: Value) {
        withUnsafePointer(to: value) { cmeter_keep($0) }
    }

    /// Does the same without copying the value.
    @inline(__always)
    static func keep<Value>(_ value: inout Value) {
        withUnsafeMutablePointer(to: &value) { cmeter_keep($0) }
    }
}

extension Work {
    /// Finds sentences and verifies checksums, without decoding.
    static let framing = Work(name: "framing") { bytes in
        var framer = Framer()
        var tally = Tally()
        framer.push(bytes.span, sentence: { _ in tally.sentences += 1 }, other: { _ in })
        framer.finish { _ in }
        return tally
    }
}

extension Work {
    /// Decodes every field of the nine sentences to typed values, without fixes.
    static let decoding = Work(name: "typed decode") { bytes in
        var framer = Framer()
        var tally = Tally(check: 0)
        framer.push(bytes.span, sentence: { decode($0, &tally) }, other: { _ in })
        framer.finish { _ in }
        return tally
    }

    private static func decode(_ raw: RawSentence, _ tally: inout Tally) {
        guard case .standard(let formatter) = raw.address.kind else { return }
        var fields = raw.fields
        do {
            switch formatter {
            case "GSV":
                var sentence = try GSV(&fields)
                keep(&sentence)
            case "GSA":
                var sentence = try GSA(&fields)
                keep(&sentence)
            case "GGA":
                var sentence = try GGA(&fields)
                keep(&sentence)
                tally.add(sentence.coordinate)
            case "RMC":
                var sentence = try RMC(&fields)
                keep(&sentence)
                tally.add(sentence.coordinate)
            case "VTG":
                var sentence = try VTG(&fields)
                keep(&sentence)
            case "GLL":
                var sentence = try GLL(&fields)
                keep(&sentence)
                tally.add(sentence.coordinate)
            case "ZDA":
                var sentence = try ZDA(&fields)
                keep(&sentence)
            case "GST":
                var sentence = try GST(&fields)
                keep(&sentence)
            case "GNS":
                var sentence = try GNS(&fields)
                keep(&sentence)
                tally.add(sentence.coordinate)
            default: return
            }
        } catch {
            return
        }
        tally.sentences += 1
    }
}

extension Work {
    /// Decodes a stream completely, up to its fixes and satellite views.
    static let fixes = Work(name: "decode + fix") { bytes in
        var decoder = NMEADecoder()
        var listener = Listener()
        decoder.push(bytes.span, to: &listener)
        decoder.finish(to: &listener)
        listener.tally.sentences = decoder.statistics.accepted
        return listener.tally
    }

    private struct Listener: DecoderListener {
        var tally = Tally()

        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            keep(fix.coordinate?.latitude)
            keep(view.signals.count)
        }
        mutating func didReceive(satellites view: SatelliteView) { keep(view.signals.count) }
    }
}

extension Work {
    /// `gpsbridge convert --to json`, from bytes in memory to JSON that is discarded.
    static let conversion = Work(name: "convert --to json") { convert($0, to: GPSDFormat.self) }

    /// The same to GPX.
    static let track = Work(name: "convert --to gpx") { convert($0, to: GPXFormat.self) }

    private static func convert(_ bytes: [UInt8], to format: any OutputFormat.Type) -> Tally {
        var conversion = Conversion(to: format)
        conversion.begin(OutputSource(name: "mix"))
        let chunk = 1 << 16
        var written = 0
        var start = 0
        while start < bytes.count {
            let end = min(start + chunk, bytes.count)
            conversion.push(bytes.span.extracting(start..<end))
            conversion.drain { written += $0.count }
            start = end
        }
        conversion.end()
        conversion.drain { written += $0.count }
        return Tally(sentences: conversion.statistics.valid, written: written)
    }
}
