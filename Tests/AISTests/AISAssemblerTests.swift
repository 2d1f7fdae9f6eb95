// SPDX-License-Identifier: MIT
import AIS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct AISAssemblerTests {
    private func part(_ number: Int, of count: Int, _ sequence: Int, _ payload: String) -> [UInt8] {
        Array("!AIVDM,\(count),\(number),\(sequence),A,\(payload),0*00".utf8)
    }

    @Test func `parts of several messages may alternate`() {
        var assembler = AISAssembler()
        #expect(assembler.message(part(1, of: 2, 1, "5555")) == nil)
        #expect(assembler.message(part(1, of: 2, 2, "1111")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "0"))?.type == 5)
        #expect(assembler.message(part(2, of: 2, 2, "0"))?.type == 1)
        #expect(assembler.message(part(2, of: 2, 2, "0")) == nil)
    }

    @Test func `a missing or repeated part discards the message`() {
        var assembler = AISAssembler()
        #expect(assembler.message(part(1, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(3, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(2, of: 3, 1, "5")) == nil)
        #expect(assembler.message(part(3, of: 3, 1, "5")) == nil)
        // Repeating the first part starts a new message.
        #expect(assembler.message(part(1, of: 2, 1, "1")) == nil)
        #expect(assembler.message(part(1, of: 2, 1, "5")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "5"))?.bitCount == 12)
    }

    @Test func `at most eight incomplete messages wait, none longer than AIS allows`() {
        var assembler = AISAssembler()
        for sequence in 0...8 {
            #expect(assembler.message(part(1, of: 2, sequence, "5")) == nil)
        }
        #expect(assembler.message(part(2, of: 2, 0, "5")) == nil)
        #expect(assembler.message(part(2, of: 2, 1, "5")) != nil)
        let long = String(repeating: "5", count: 100)
        #expect(assembler.message(part(1, of: 2, 0, long)) == nil)
        #expect(assembler.message(part(2, of: 2, 0, long)) == nil)
    }

    @Test func `a part is not joined with a message that is ten messages older`() {
        var assembler = AISAssembler()
        // The last part of the first message is lost, and the first part of the last one.
        #expect(assembler.message(part(1, of: 2, 0, "5555")) == nil)
        for sequence in 1...9 {
            #expect(assembler.message(part(1, of: 2, sequence, "5")) == nil)
            #expect(assembler.message(part(2, of: 2, sequence, "5")) != nil)
        }
        #expect(assembler.message(part(2, of: 2, 0, "1111")) == nil)
    }

    @Test func `fill bits are not part of the message`() {
        var assembler = AISAssembler()
        let sentence = Array("!AIVDO,1,1,,B,88888888880,2*25".utf8)
        #expect(assembler.message(sentence)?.bitCount == 64)
    }

    @Test func `an empty field of fill bits is 0`() {
        var assembler = AISAssembler()
        let sentence = Array("!AIVDM,1,1,,A,11mg=5@10000000000000?v00000,*2C".utf8)
        #expect(assembler.message(sentence)?.bitCount == 168)
        #expect(assembler.message(Array("!AIVDM,1,1,,A,11mg=5@1,6".utf8)) == nil)
    }
}
