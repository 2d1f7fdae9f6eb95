// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

/// The events that a listener receives.
@Suite(.timeLimit(.generous)) struct ListenerTests {
    private struct Listener: DecoderListener {
        let wantsSentences: Bool
        var sentences = 0
        var rejections = 0
        var fixes: [Fix] = []

        mutating func didReceive(sentence: RawSentence) { sentences += 1 }
        mutating func didReceive(rejection: Rejection) { rejections += 1 }
        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            fixes.append(fix)
        }
    }

    private func decode(_ text: String, wantsSentences: Bool) -> Listener {
        var decoder = NMEADecoder()
        var listener = Listener(wantsSentences: wantsSentences)
        decoder.push(text.bytes.span, to: &listener)
        decoder.finish(to: &listener)
        return listener
    }

    @Test func `a listener without sentences receives all other events`() {
        let text = Cycle.run(3).map { $0.rmc() + $0.gga() }.joined() + line("GPGLL,4812.5,N")
        let all = decode(text, wantsSentences: true)
        let some = decode(text, wantsSentences: false)
        #expect(all.sentences == 7)
        #expect(some.sentences == 0)
        #expect(some.rejections == 1 && all.rejections == 1)
        #expect(some.fixes == all.fixes)
        #expect(some.fixes.count == 3)
    }
}

/// Decodes `bytes` in every chunking and expects equal results; returns the result.
@discardableResult
func expectEveryChunking(
    _ bytes: [UInt8], _ decoder: NMEADecoder = NMEADecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Transcript {
    let whole = Transcript([bytes[...]], decoder)
    func expectSame(_ pieces: [ArraySlice<UInt8>], _ how: String) {
        let other = Transcript(pieces, decoder)
        guard other != whole else { return }
        Issue.record("\(how): \(difference(whole, other))", sourceLocation: sourceLocation)
    }
    expectSame(bytes.indices.map { bytes[$0...$0] }, "byte by byte")
    if bytes.count <= 1500 {
        for split in bytes.indices {
            expectSame([bytes[..<split], bytes[split...]], "at \(split)")
        }
    }
    for _ in 0..<3 {
        let seed = UInt64.random(in: 0 ... .max)
        expectSame(randomPieces(bytes, seed), "random, seed \(seed)")
    }
    return whole
}

/// Decodes text in every chunking, alone and between two valid sentences.
func decode(
    _ text: String, _ decoder: NMEADecoder = NMEADecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Transcript {
    decode(text.bytes, decoder, sourceLocation: sourceLocation)
}

/// Decodes bytes in every chunking, alone and between two valid sentences.
func decode(
    _ bytes: [UInt8], _ decoder: NMEADecoder = NMEADecoder(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Transcript {
    let alone = expectEveryChunking(bytes, decoder, sourceLocation: sourceLocation)
    let neighbours = [line("GPXBX,before"), line("GPXBX,behind")]
    let between = Transcript(
        [neighbours[0].bytes[...], bytes[...], neighbours[1].bytes[...]], decoder)
    // CR LF is one `Character`.
    let bare = neighbours.map { String($0.dropLast()) }
    if between.sentences.first != bare[0] || between.sentences.last != bare[1]
        || between.sentences.count != alone.sentences.count + 2
    {
        Issue.record("a good neighbour was lost", sourceLocation: sourceLocation)
    }
    return alone
}

private func randomPieces(_ bytes: [UInt8], _ seed: UInt64) -> [ArraySlice<UInt8>] {
    var random = SeededGenerator(seed: seed)
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
        pieces.append(bytes[start..<end])
        start = end
    }
    return pieces
}

private func difference(_ a: Transcript, _ b: Transcript) -> String {
    for (one, other) in zip(a.events, b.events) where one != other {
        return "\(other) instead of \(one)"
    }
    if a.events.count != b.events.count {
        return "\(b.events.count) events instead of \(a.events.count)"
    }
    let counters = zip(a.statistics.counters, b.statistics.counters).filter { $0 != $1 }
    return counters.isEmpty
        ? "views differ" : "\(counters.map(\.1)) instead of \(counters.map(\.0))"
}

/// Recordings of real receivers, which are not part of this package.
enum Corpus {
    /// Their folder, from the environment or beside the package; `nil` if there is none.
    static let folder: URL? = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/gpsd")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_CORPUS"]
        let folder = named.map { URL(filePath: $0) } ?? beside
        var isFolder = false
        if let values = try? folder.resourceValues(forKeys: [.isDirectoryKey]) {
            isFolder = values.isDirectory ?? false
        }
        return isFolder ? folder : nil
    }()

    /// The names of the recordings.
    static let names: [String] = {
        guard let folder,
            let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return all.filter { $0.hasSuffix(".log") }.sorted()
    }()

    /// The bytes that the receiver sent: the file without its comment lines.
    static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { return [] }
        let file = [UInt8](try Data(contentsOf: folder.appending(path: name)))
        let lines = file.split(separator: 0x0A, omittingEmptySubsequences: false)
        return Array(lines.filter { $0.first != UInt8(ascii: "#") }.joined(separator: [0x0A]))
    }
}

/// Returns a whole sentence: `body` with start character, checksum and line end.
func line(_ body: String, start: String = "$", end: String = "\r\n") -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = Array("0123456789ABCDEF")
    return "\(start)\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\(end)"
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

/// Returns a UBX frame with a valid checksum.
func ubx(_ payload: [UInt8]) -> [UInt8] {
    UBXFrame.bytes(MonVER.id, payload: payload)
}

/// Returns an RTCM 3 frame with a valid CRC.
func rtcm(_ payload: [UInt8]) -> [UInt8] {
    let frame: [UInt8] = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    let crc = FrameChecksum.rtcm3(frame.span)
    return frame + [UInt8(crc >> 16), UInt8(crc >> 8 & 255), UInt8(crc & 255)]
}

/// All events of a decoder for a stream, for comparisons.
struct Transcript: Equatable {
    enum Event: Equatable {
        case sentence(String)
        case rejected(Rejection)
        case tagBlock(TagBlock)
        case fix(Fix)
        case satellites(SatelliteView)
        case ubx(UBXMessageID, [UInt8])
    }

    var events: [Event] = []
    /// The view of each fix.
    var views: [SatelliteView] = []
    var statistics = Statistics()

    /// Decodes the pieces in order, then the end of the input.
    init(_ pieces: [ArraySlice<UInt8>], _ decoder: NMEADecoder = NMEADecoder()) {
        var decoder = decoder
        for piece in pieces { decoder.push(Array(piece).span) { note($0) } }
        decoder.finish { note($0) }
        statistics = decoder.statistics
    }

    private mutating func note(_ event: DecoderEvent) {
        switch event {
        case .sentence(let raw):
            events.append(.sentence(String(decoding: raw.bytes, as: UTF8.self)))
        case .rejected(let rejection):
            events.append(.rejected(rejection))
        case .tagBlock(let block):
            events.append(.tagBlock(block))
        case .fix(let fix, let view):
            events.append(.fix(fix))
            views.append(view)
        case .satellites(let view):
            events.append(.satellites(view))
        case .ubx(let frame):
            let payload = frame.payload
            events.append(.ubx(frame.id, payload.indices.map { payload[$0] }))
        }
    }

    // MARK: Results

    var fixes: [Fix] {
        events.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }

    var sentences: [String] {
        events.compactMap { if case .sentence(let text) = $0 { text } else { nil } }
    }

    var rejections: [Rejection] {
        events.compactMap { if case .rejected(let rejection) = $0 { rejection } else { nil } }
    }

    var tagBlocks: [TagBlock] {
        events.compactMap { if case .tagBlock(let block) = $0 { block } else { nil } }
    }

    /// The last reported view.
    var view: SatelliteView? {
        events.compactMap { if case .satellites(let view) = $0 { view } else { nil } }.last
    }

    /// The satellites of the last reported view: `G05 R24`.
    var inView: String {
        (view?.satellites ?? []).map(\.id.description).joined(separator: " ")
    }

    /// The only fix; an empty one if there is not exactly one.
    var fix: Fix { fixes.count == 1 ? fixes[0] : Fix() }
}
