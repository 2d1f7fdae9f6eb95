// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

/// What a silence completes on a live line: the wait for the end of a false frame, and for a line
/// end.
@Suite(.timeLimit(.generous)) struct FrameSilenceTests {
    private let text = "$GPXYA,1,2*54"
    /// Headers of frames of 8,000 and 1,000 bytes that never arrive.
    static let headers: [[UInt8]] = [[0xB5, 0x62, 0x01, 0x07, 0x40, 0x1F], [0xD3, 0x03, 0xE8]]
    /// Complete frames.
    static let frames: [[UInt8]] = [ubx([UInt8](0..<40)), rtcm([UInt8](0..<40))]

    @Test(arguments: headers)
    func `sentences after a false header are delivered when the line is silent`(
        header: [UInt8]
    ) {
        var bench = WireBench()
        bench.push(header + "\(text)\r\n\(text)\r\n".bytes)
        #expect(bench.sentences.isEmpty)
        #expect(bench.decoder.silenceTolerance != nil)
        bench.silence()
        #expect(bench.sentences == [text, text])
        #expect(bench.decoder.statistics.junkBytes == header.count)
        #expect(bench.decoder.silenceTolerance == nil)
    }

    @Test(arguments: headers)
    func `a sentence that runs into a false header does not delay the next one`(
        header: [UInt8]
    ) {
        var bench = WireBench()
        bench.push("$GPXYA,1".bytes + header + "\r\n\(text)\r\n".bytes)
        #expect(bench.sentences.isEmpty)
        bench.silence()
        #expect(bench.sentences == [text])
        #expect(bench.decoder.statistics[.truncated] == 1)
    }

    @Test(arguments: headers)
    func `a complete sentence is not lost with the frame that it runs into`(header: [UInt8]) {
        var bench = WireBench()
        bench.push(text.bytes + header)
        #expect(bench.sentences.isEmpty)
        bench.silence()
        #expect(bench.sentences == [text])
        #expect(bench.decoder.statistics.glued == 1)
    }

    @Test func `silence does not end an incomplete sentence after noise`() {
        var bench = WireBench()
        bench.push([0xB5, 0x62] + "$GPXYA,".bytes)
        bench.silence()
        #expect(bench.decoder.silenceTolerance == nil)
        bench.push("1,2*54\r\n".bytes)
        #expect(bench.sentences == [text])
    }

    @Test func `silence completes a sentence without a line end if its checksum is valid`() {
        var bench = WireBench()
        bench.push(text.bytes)
        #expect(bench.sentences.isEmpty)
        #expect(bench.decoder.awaitsSilence)
        bench.silence()
        #expect(bench.sentences == [text])
        #expect(bench.decoder.silenceTolerance == nil)
        bench.push("\r\n\(text.dropLast(2))".bytes)
        bench.silence()
        #expect(bench.sentences == [text])
        bench.push("54\r\n".bytes)
        #expect(bench.sentences == [text, text])
        #expect(bench.decoder.statistics.rejected == 0)
    }

    @Test func `silence is awaited once for a sentence with a wrong checksum`() {
        var bench = WireBench()
        bench.push("\(text.dropLast(2))00".bytes)
        #expect(bench.decoder.awaitsSilence)
        bench.silence()
        #expect(!bench.decoder.awaitsSilence && bench.sentences.isEmpty)
    }

    @Test func `a fix has the values of a last sentence without a line end`() {
        var bench = WireBench()
        for cycle in Cycle.run(3) {
            bench.push((cycle.rmc() + cycle.gga()).bytes.filter { $0 >= 0x20 })
            bench.silence()
        }
        #expect(bench.altitudes == [171.4, 171.4, 171.4])
    }

    @Test func `a whole frame after a silence is recognised`() {
        var bench = WireBench()
        bench.push([0xB5])
        bench.silence()
        bench.push(ubx([1, 2, 3]) + "\(text)\r\n".bytes)
        #expect(bench.sentences == [text])
        #expect(bench.decoder.statistics.ubxFrames == 1)
        #expect(bench.decoder.statistics.junkBytes == 1)
    }

    @Test(arguments: frames)
    func `a silence within a frame does not lose it`(frame: [UInt8]) {
        for count in 1..<frame.count {
            var bench = WireBench()
            bench.push("\(text)\r\n".bytes + frame.prefix(count))
            bench.silence()
            #expect(bench.decoder.silenceTolerance == nil)
            bench.push(Array(frame.dropFirst(count)) + "\(text)\r\n".bytes)
            let statistics = bench.decoder.statistics
            #expect(statistics.ubxFrames + statistics.rtcmFrames == 1, "after \(count) bytes")
            #expect(statistics.junkBytes == 0)
            #expect(bench.sentences == [text, text])
        }
    }

    @Test(arguments: headers)
    func `a false header before a silence delays what follows until the next silence`(
        header: [UInt8]
    ) {
        var bench = WireBench()
        bench.push(header)
        bench.silence()
        bench.push("\(text)\r\n".bytes + ubx([1, 2, 3]))
        #expect(bench.sentences.isEmpty)
        #expect(bench.decoder.awaitsSilence)
        bench.silence()
        #expect(bench.sentences == [text])
        #expect(bench.decoder.statistics.ubxFrames == 1)
        #expect(bench.decoder.statistics.junkBytes == header.count)
    }

    @Test(arguments: headers, frames)
    func `a frame with a pause is not lost with a false header before it`(
        header: [UInt8], frame: [UInt8]
    ) {
        var bench = WireBench()
        bench.push(header + "\(text)\r\n".bytes + frame.prefix(20))
        bench.silence()
        #expect(bench.sentences == [text])
        bench.push(Array(frame.dropFirst(20)))
        let statistics = bench.decoder.statistics
        #expect(statistics.ubxFrames + statistics.rtcmFrames == 1)
        #expect(statistics.junkBytes == header.count)
    }

    @Test func `a solution that pauses within its frame is a fix`() {
        var bench = WireBench()
        for second in 0..<3 {
            let frame = UBXStream.pvt(after: second * 1000).frame
            bench.push(Array(frame.prefix(50)))
            bench.silence()
            bench.push(Array(frame.dropFirst(50)))
            bench.silence()
            #expect(bench.altitudes.count == second + 1)
        }
    }
}

/// A decoder and the sentences that it delivered.
private struct WireBench {
    var decoder = NMEADecoder()
    var sentences: [String] = []
    var altitudes: [Double?] = []

    mutating func push(_ bytes: [UInt8]) { take { $0.push(bytes.span, $1) } }
    mutating func silence() { take { $0.silence($1) } }

    private mutating func take(_ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void) {
        var new: [String] = []
        var heights: [Double?] = []
        step(&decoder) {
            switch $0 {
            case .sentence(let raw): new.append(String(decoding: raw.bytes, as: UTF8.self))
            case .fix(let fix, _): heights.append(fix.altitude)
            default: break
            }
        }
        sentences += new
        altitudes += heights
    }
}

/// Recordings of real receivers, if available.
@Suite(
    .timeLimit(.generous),
    .enabled(if: Corpus.folder != nil, "no recordings: set GPSBRIDGE_CORPUS to their folder"))
struct CorpusTests {
    @Test(arguments: Corpus.names)
    func `every chunking gives the same events, and each epoch occurs once`(name: String) throws {
        let bytes = try Corpus.bytes(name)
        let decoded = expectEveryChunking(bytes)
        #expect(!decoded.sentences.isEmpty || name.hasPrefix("hp58534a"))

        var instants: Set<String> = []
        for fix in decoded.fixes where fix.mode > .noFix {
            guard let instant = fix.time?.description ?? fix.timeOfDay.map({ "\($0)" }) else {
                continue
            }
            #expect(instants.insert(instant).inserted, "\(instant) twice")
        }
    }

    @Test(arguments: Corpus.names)
    func `every sentence ends in exactly one counter`(name: String) throws {
        let decoded = Transcript([try Corpus.bytes(name)[...]])
        // An interrupted set is also counted, but its sentences are complete.
        let misunderstood = decoded.rejections.count {
            [.tooFewFields, .badAddress, .gsvIncomplete].contains($0.reason)
        }
        #expect(decoded.sentences.count == decoded.statistics.valid + misunderstood)
        // A set interrupted by the next one is counted without a rejected sentence.
        #expect(decoded.rejections.count <= decoded.statistics.rejected)
        let others = Rejection.Reason.allCases.filter { $0 != .gsvIncomplete }
        let rejected = others.reduce(0) { $0 + decoded.statistics[$1] }
        #expect(decoded.rejections.count { $0.reason != .gsvIncomplete } == rejected)
    }
}

/// Scanning of many bytes at a time, compared with scanning byte by byte.
@Suite(.timeLimit(.generous)) struct ObviousScanTests {
    private struct Found: Equatable {
        var text: [UInt8]
        var fieldCount: Int
        var offset: Int
        var isGlued: Bool
    }

    /// A sentence of any length at any offset of its chunk, ended by any byte.
    @Test func `line ends, checksums and commas are found at every position`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            let junk = [UInt8](
                repeating: UInt8(ascii: "x"), count: .random(in: 0...20, using: &random))
            let body = body(&random)
            let isRight = Bool.random(using: &random)
            let sum = body.reduce(isRight ? 0 : 1, ^)
            let digits = Array(String(sum, radix: 16, uppercase: Bool.random(using: &random)).utf8)
            let tail = [UInt8(ascii: "*")] + (sum < 16 ? [UInt8(ascii: "0")] : []) + digits
            let text = [UInt8(ascii: "$")] + body + tail
            let ends: [UInt8] = [
                0x0A, 0x0D, UInt8(ascii: "$"), UInt8(ascii: "!"), 0, 0x1F, 0x7F, 0x80,
            ]
            let end = ends.randomElement(using: &random) ?? 0

            let isStart = end == UInt8(ascii: "$") || end == UInt8(ascii: "!")
            let wanted = Found(
                text: text, fieldCount: body.count { $0 == UInt8(ascii: ",") }, offset: junk.count,
                isGlued: isStart)
            // The number of bytes that follow determines how many are scanned at a time.
            let behind = [UInt8](repeating: 0x0A, count: Bool.random(using: &random) ? 1 : 99)
            let found = frame(junk + text + [end] + behind)
            #expect(found == (isRight ? [wanted] : []), "ended by \(end), seed \(seed)")
        }
    }

    /// An address and any valid characters, or only common ones.
    private func body(_ random: inout SeededGenerator) -> [UInt8] {
        let isDense = Bool.random(using: &random)
        let first: UInt8 = Bool.random(using: &random) ? 0x20 : 0x2B
        let longest = Bool.random(using: &random) ? 100 : 900
        var body = "GPXYZ,".bytes
        let count = Int.random(in: 0...longest, using: &random)
        for _ in 0..<Int.random(in: 0...count, using: &random) {
            let byte = UInt8.random(in: first...0x7E, using: &random)
            let isReserved = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
            let isComma = isDense && Int.random(in: 0..<3, using: &random) > 0
            body.append(isReserved || isComma ? UInt8(ascii: ",") : byte)
        }
        return body
    }

    private func frame(_ bytes: [UInt8]) -> [Found] {
        var framer = Framer()
        var found: [Found] = []
        func take(_ event: FramerEvent) {
            guard case .sentence(let raw) = event else { return }
            found.append(
                Found(
                    text: raw.bytes, fieldCount: raw.fieldCount, offset: raw.offset,
                    isGlued: raw.isGlued))
        }
        framer.push(bytes.span, take)
        framer.finish(take)
        return found
    }
}
