// SPDX-License-Identifier: MIT
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct FrameTests {
    @Test func `a poll of the version is a frame without a payload`() {
        let bytes: [UInt8] = [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34]
        #expect(UBXFrame.bytes(MonVER.id, payload: []) == bytes)
        let (id, payload) = parts(bytes)
        #expect(id == MonVER.id)
        #expect(payload == [])
    }

    @Test func `a frame with one wrong byte is not a frame`() {
        let frame = AckACK(UBXMessageID(0x06, 0x8A)).frame
        for index in frame.indices {
            var damaged = frame
            damaged[index] ^= 0x10
            #expect(parts(damaged).id == nil, "byte \(index)")
        }
    }

    @Test func `the beginning of a frame is not a frame`() {
        let frame = AckACK(UBXMessageID(0x06, 0x8A)).frame
        for count in frame.indices { #expect(parts(Array(frame.prefix(count))).id == nil) }
        #expect(parts(frame + [1, 2, 3]).id == AckACK.id)
    }

    @Test func `a frame longer than any message is not a frame`() {
        #expect(
            parts(UBXFrame.bytes(MgaDBD.id, payload: Array(repeating: 0, count: 8193))).id == nil)
        #expect(
            parts(UBXFrame.bytes(MgaDBD.id, payload: Array(repeating: 0, count: 8192))).id != nil)
    }

    @Test func `frames are found among many headers of frames that never come`() {
        let frame = AckACK(UBXMessageID(0x06, 0x8A)).frame
        var bytes: [UInt8] = []
        for number in 0..<3000 {
            bytes += [0xB5, 0x62, 0x01, 0x07, UInt8(number & 0xFF), 0x1F]
            if number.isMultiple(of: 97) { bytes += frame }
        }
        bytes += Array(repeating: 0, count: 9000)
        // The sums of one buffer are not used for the next one.
        var checksums = UBXChecksums()
        for _ in 0..<2 {
            checksums.reset()
            var count = 0
            for index in bytes.indices {
                let found = UBXFrame.recognise(bytes.span, at: index, &checksums)
                if case .frame = found { count += 1 }
                if case .frame = UBXFrame.recognise(bytes.span, at: index) { count -= 1 }
                if case .frame(frame.count) = found { count += 1000 }
            }
            #expect(count == 31_000)
            bytes.removeFirst(5)
        }
    }

    @Test func `text from the receiver has a level`() throws {
        let bytes = UBXFrame.bytes(UBXMessageID(4, 1), payload: Array("txbuf alloc\u{0}".utf8))
        var notice: UBXNotice?
        if let frame = UBXFrame(bytes.span) { notice = UBXNotice(frame) }
        #expect(notice?.level == .warning)
        #expect(notice?.text == "txbuf alloc")
    }

    private func parts(_ bytes: [UInt8]) -> (id: UBXMessageID?, payload: [UInt8]) {
        guard let frame = UBXFrame(bytes.span) else { return (nil, []) }
        let payload = frame.payload
        return (frame.id, payload.indices.map { payload[$0] })
    }
}

extension AckACK {
    fileprivate init(_ id: UBXMessageID) {
        self.init()
        (messageClass, number) = (id.messageClass, id.number)
    }
}
