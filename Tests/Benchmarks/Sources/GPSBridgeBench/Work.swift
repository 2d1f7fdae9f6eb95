// SPDX-License-Identifier: MIT
import CMeter
import GNSS
import GPSFormats
import Glibc
import NMEA
import SimulatedDevices

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

/// The sentences to decode: from a file, or of a simulated receiver.
enum Mix {
    /// The bytes of a file; `nil` if it cannot be read.
    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let size = ftell(file)
        guard size >= 0, fseek(file, 0, SEEK_SET) == 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }

    /// Returns at least `size` bytes of a simulated receiver, which are always the same.
    static func simulated(_ size: Int) -> [UInt8] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_000_000_000_000_000)
        var receiver = SimulatedReceiver(configuration)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 4096)
        while bytes.count < size { bytes += receiver.next().bytes }
        return bytes
    }

    /// Returns the first lines, about `size` bytes.
    static func beginning(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        var end = min(size, bytes.count)
        while end < bytes.count, bytes[end - 1] != UInt8(ascii: "\n") { end += 1 }
        return Array(bytes[..<end])
    }
}

/// Another program that decodes the same file and prints a line about it.
struct Yardstick {
    let program: String
    let file: String

    /// The output of one run.
    struct Result {
        var nanoseconds: Double
        var check: Double?
    }

    /// Runs it once: `… 53.07 ns/sentence … check 19479641.8209`.
    func run() -> Result? {
        guard let pipe = popen("exec '\(program)' '\(file)' 1", "r") else { return nil }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, CInt(line.count), pipe) != nil else { return nil }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        while fgets(&line, CInt(line.count), pipe) != nil {}
        guard let unit = words.firstIndex(of: "ns/sentence"), unit > 0,
            let nanoseconds = Double(words[unit - 1])
        else { return nil }
        let check = words.firstIndex(of: "check").flatMap { Double(words[$0 + 1]) }
        return Result(nanoseconds: nanoseconds, check: check)
    }
}
