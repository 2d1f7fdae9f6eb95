// SPDX-License-Identifier: MIT
import NMEA
import UBX

extension Exercise {
    /// The same as `messages` for a few frames and noise, without fixes: a hundred times as many inputs
    /// in the same time.
    package static let frames = Exercise(name: "frames") { input throws(Broken) in
        var source = ByteSource(input)
        let size = source.number(below: 64)
        var bytes: [UInt8] = []
        while !source.isEmpty, bytes.count < 1000 {
            let control = source.byte()
            switch control {
            case 0xF0...:
                bytes += sentences[Int(control) % sentences.count]
            case 0xE0...:
                bytes.append(source.byte())
            default:
                let type = knownUBXMessages[Int(control) % knownUBXMessages.count]
                let frame = frame(of: type, control, &source)
                // One in eight ends early: the next message starts within its payload.
                bytes +=
                    control & 0xE == 0xE ? frame.dropLast(1 + source.number(below: 16)) : frame[...]
                try checkRoundTrip(of: type, frame)
            }
        }
        let whole = FrameDigest([bytes[...]])
        try expect(whole == FrameDigest(pieces(bytes, [size])), "pieces of \(size) differ")
        try expect(whole.bytes <= bytes.count, "\(whole.bytes) bytes of \(bytes.count)")
    }
}

/// How the framer divides a stream, as numbers that are compared.
private struct FrameDigest: Equatable {
    private(set) var bytes = 0
    private var junk = 0
    /// A polynomial of everything else, modulo 2^64.
    private var digest: UInt64 = 0

    init(_ pieces: [ArraySlice<UInt8>]) {
        var framer = Framer(options: Framer.Options())
        for piece in pieces { framer.push(piece.span) { add($0) } }
        framer.finish { add($0) }
        bytes += junk
    }

    private mutating func add(_ event: FramerEvent) {
        switch event {
        case .sentence(let raw):
            add(raw.offset)
            bytes += raw.bytes.count
        case .frame(_, let frame):
            for index in frame.indices { add(Int(frame[index])) }
            bytes += frame.count
        case .rejected(let rejection): add(rejection.offset)
        case .junk(let count): junk += count
        case .tagBlock: add(-1)
        }
    }

    private mutating func add(_ value: Int) {
        digest = digest &* 0x100_0000_01B3 ^ UInt64(truncatingIfNeeded: value)
    }
}
