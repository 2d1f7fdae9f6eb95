// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import Testing

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
