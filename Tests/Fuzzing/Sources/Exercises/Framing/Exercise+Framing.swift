// SPDX-License-Identifier: MIT
import NMEA

extension Exercise {
    /// Any chunking of the bytes produces the same events and counts, and every sentence has a
    /// correct checksum and position.
    package static let framing = Exercise(name: "framing") { input throws(Broken) in
        var source = ByteSource(input)
        var options = Framer.Options()
        let control = source.byte()
        options.checksum = ChecksumPolicy.allCases[Int(control) % 3]
        if control >= 0x80 { options.maximumLength = 8 + source.number(below: 128) }
        let sizes = (0..<6).map { _ in source.number(below: 100) }
        let bytes = source.rest

        let whole = DecodedStream([bytes[...]], options)
        try whole.checkSums()
        let split = DecodedStream(pieces(bytes, sizes), options)
        try expect(whole == split, "pieces of \(sizes) differ")
        if bytes.count <= 1500 {
            try expect(whole == DecodedStream(pieces(bytes, [1]), options), "byte by byte differs")
        }
        let stream = FramedStream([bytes[...]], options)
        try stream.check(bytes, options)
        try checkSilences(stream, pieces(bytes, sizes), options)
        try checkPolicies(bytes, options)
    }

    /// Splits bytes into pieces of these sizes, in rotation.
    static func pieces(_ bytes: [UInt8], _ sizes: [Int]) -> [ArraySlice<UInt8>] {
        guard sizes.contains(where: { $0 > 0 }) else { return [bytes[...]] }
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sizes[pieces.count % sizes.count])
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    /// Checks that a silence within a frame loses no sentence.
    private static func checkSilences(
        _ stream: FramedStream, _ pieces: [ArraySlice<UInt8>], _ options: Framer.Options
    ) throws(Broken) {
        let found = Set(
            FramedStream(pieces, options, isSilentBetween: true).sentences.map(\.offset))
        let lost = stream.sentences.first { !found.contains($0.offset) }
        try expect(lost == nil, "lost by silence: \(lost as Any)")
    }

    /// A looser policy accepts everything that a strict one accepts, and divides the stream in the same way.
    private static func checkPolicies(
        _ bytes: [UInt8], _ options: Framer.Options
    ) throws(Broken) {
        var streams: [FramedStream] = []
        for policy in [ChecksumPolicy.require, .acceptMissing, .ignore] {
            var options = options
            options.checksum = policy
            streams.append(FramedStream([bytes[...]], options))
        }
        for (strict, loose) in zip(streams, streams.dropFirst()) {
            try expect(strict.starts == loose.starts, "policies part the stream differently")
            let lost = Set(strict.sentences.map(\.offset)).subtracting(
                loose.sentences.map(\.offset))
            try expect(lost.isEmpty, "a looser policy loses the sentences at \(lost)")
        }
    }
}
