// SPDX-License-Identifier: MIT
import NMEA
import RTCM
import UBX

extension Exercise {
    /// Frames of RTCM 3 with any payload, UBX frames and noise. Any chunking produces the same
    /// messages, every message is part of the stream, and memory is bounded.
    package static let corrections = Exercise(name: "corrections") { input throws(Broken) in
        var source = ByteSource(input)
        let sizes = (0..<4).map { _ in source.number(below: 100) }
        var bytes: [UInt8] = []
        while !source.isEmpty, bytes.count < 20_000 {
            let control = source.byte()
            let content = (0..<Int(source.byte())).map { _ in source.byte() }
            switch control & 3 {
            case 0: bytes += content
            case 1: bytes += UBXFrame.bytes(UBXMessageID(control, 0x13), payload: content)
            case 2: bytes += UBXFrame.bytes(UBXMessageID(0x13, control), payload: content)
            default:
                let head: [UInt8] = [0xD3, control >> 6, UInt8(content.count)]
                let frame = head + content + (0..<Int(control >> 6) * 256).map { UInt8($0 & 0xFF) }
                let crc = FrameChecksum.rtcm3(frame.span)
                bytes += frame + [16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
            }
        }
        let whole = FramedCorrections([bytes[...]])
        try whole.check(bytes)
        let split = FramedCorrections(pieces(bytes, sizes))
        try expect(whole == split, "pieces of \(sizes) differ")
        if bytes.count <= 1500 {
            try expect(whole == FramedCorrections(pieces(bytes, [1])), "byte by byte differs")
        }
    }
}

/// The messages in a stream of corrections.
private struct FramedCorrections: Equatable {
    private var messages: [CorrectionMessage] = []
    private var skippedCount = 0
    private var pendingCount = 0

    init(_ pieces: [ArraySlice<UInt8>]) {
        var framer = CorrectionFramer()
        for piece in pieces {
            framer.push(piece) { messages.append($0) }
        }
        (skippedCount, pendingCount) = (framer.skippedCount, framer.pendingCount)
    }

    func check(_ bytes: [UInt8]) throws(Broken) {
        let sum = messages.reduce(skippedCount + pendingCount) { $0 + $1.bytes.count }
        try expect(sum == bytes.count, "\(sum) bytes of \(bytes.count)")
        try expect(pendingCount <= 1200, "\(pendingCount) bytes are buffered")
        var rest = bytes[...]
        for message in messages {
            guard let place = rest.firstRange(of: message.bytes) else {
                throw Broken("a message that was not in the stream: \(message)")
            }
            rest = rest[place.upperBound...]
            let head = RTCMObservationsHead(message)
            try expect(head.map { $0.cellCount <= 64 } ?? true, "too many cells: \(message)")
            let values: [Any?] = [
                RTCMReferencePosition(message)?.geodetic, RTCMEquipment(message),
                RTCMGLONASSBiases(message),
            ]
            try expect(values.count { $0 != nil } <= 1, "a message of two types: \(message)")
        }
    }
}
