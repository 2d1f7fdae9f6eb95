// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct TagBlockTests {
    private let block = TagBlock(text: "s:mast,d:log,c:1715674530,g:1-2-33,n:7,r:12,t:a note")

    @Test func `every field is available by its letter`() {
        #expect(block.source == "mast")
        #expect(block.destination == "log")
        #expect(block.group == "1-2-33")
        #expect(block.lineNumber == 7)
        #expect(block.relativeTime == 12)
        #expect(block.note == "a note")
        #expect(block["x"] == nil)
    }

    @Test func `times in seconds and in milliseconds are the same instant`() {
        #expect(block.unixMilliseconds == 1_715_674_530_000)
        #expect(TagBlock(text: "c:1715674530250").unixMilliseconds == 1_715_674_530_250)
        #expect(TagBlock(text: "c:soon").unixMilliseconds == nil)
    }
}
