// SPDX-License-Identifier: MIT
import NMEA
import UBX

extension Exercise {
    /// UBX frames with any content, between sentences. Any chunking produces the same fixes, and a
    /// message that is written and read again has the same fields.
    package static let messages = Exercise(name: "messages") { input throws(Broken) in
        var source = ByteSource(input)
        let sizes = (0..<4).map { _ in source.number(below: 100) }
        var bytes: [UInt8] = []
        while !source.isEmpty, bytes.count < 20_000 {
            let control = source.byte()
            if control >= 0xE0 {
                bytes += sentences[Int(control) % sentences.count]
                continue
            }
            let type = knownUBXMessages[Int(control) % knownUBXMessages.count]
            let frame = frame(of: type, control, &source)
            bytes += frame
            try checkRoundTrip(of: type, frame)
        }
        let options = Framer.Options()
        let whole = DecodedStream([bytes[...]], options)
        try whole.checkSums()
        let split = DecodedStream(pieces(bytes, sizes), options)
        try expect(whole == split, "pieces of \(sizes) differ")
        if bytes.count <= 1500 {
            try expect(whole == DecodedStream(pieces(bytes, [1]), options), "byte by byte differs")
        }
    }

    static let sentences = [
        "$GNRMC,120000.00,A,4812.49,N,01622.43,E,1.0,90.0,210326,,,A*57\r\n",
        "$GPGSV,1,1,01,05,60,120,40*4F\r\n", "$GNGGA,,,,,,0,,,,,,,,*78\r\n", "\r\n",
    ].map { Array($0.utf8) }

    /// Returns a frame with a valid checksum. Half of them are a written message with some bytes
    /// changed; the others have any payload.
    static func frame(
        of type: any UBXMessage.Type, _ control: UInt8, _ source: inout ByteSource
    ) -> [UInt8] {
        guard control & 1 == 0 else {
            let payload = (0..<source.number(below: 120)).map { _ in source.byte() }
            return UBXFrame.bytes(type.id, payload: payload)
        }
        var payload = type.init().payload
        for _ in 0..<source.number(below: 24) where !payload.isEmpty {
            payload[source.number(below: min(256, payload.count))] = source.byte()
        }
        return UBXFrame.bytes(type.id, payload: payload)
    }

    static func checkRoundTrip(
        of type: any UBXMessage.Type, _ frame: [UInt8]
    ) throws(Broken) {
        guard let read = UBXFrame(frame.span), let message = type.init(read) else { return }
        let written = message.frame
        guard let again = UBXFrame(written.span), let copy = type.init(again) else {
            throw Broken("\(type) cannot be read again")
        }
        try expect(copy.frame == written, "\(type) changes when it is written again")
    }
}

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
        case .frame(_, let frame, _):
            for index in frame.indices { add(Int(frame[index])) }
            bytes += frame.count
        case .rejected(let rejection): add(rejection.offset)
        case .junk(let count): junk += count
        case .tagBlock: add(-1)
        case .comment: break
        }
    }

    private mutating func add(_ value: Int) {
        digest = digest &* 0x100_0000_01B3 ^ UInt64(truncatingIfNeeded: value)
    }
}
