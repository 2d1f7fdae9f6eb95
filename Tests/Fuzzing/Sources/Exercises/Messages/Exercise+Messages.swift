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
