// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct CanvasTests {
    @Test func `content that does not fit is clipped on every side`() {
        var canvas = Canvas(width: 4, height: 2)
        canvas.write("abcdef", -2, 0)
        canvas.write("gh", 3, 1)
        canvas.write("above", 0, -1)
        canvas.write("below", 0, 2)
        #expect(canvas.text == "cdef\n   g\n")
    }

    @Test func `a shortened text ends with two dots, one that fits is complete`() {
        var canvas = Canvas(width: 6, height: 3)
        canvas.write(shortened: "abcde", 1, 0)
        canvas.write(shortened: "abcdef", 1, 1)
        canvas.write(shortened: "abcdef", 5, 2)
        #expect(canvas.text == " abcde\n abc..\n     .\n")
    }

    @Test func `characters that are not one column wide become question marks`() {
        var canvas = Canvas(width: 12, height: 1)
        canvas.write("a\u{1B}[2Jb\n界e\u{301}", 0, 0)
        #expect(canvas.text == "a?[2Jb??e?\n")
    }

    @Test func `a negative size is zero`() {
        var canvas = Canvas(width: -3, height: 5)
        canvas.write("x", 0, 0)
        canvas.fill(row: 1, .bar)
        #expect(canvas.text == "\n\n\n\n\n")
    }
}
