// SPDX-License-Identifier: MIT
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct FrameWriterTests {
    @Test func `a terminal shows every frame, although only changes are written`() {
        var receiver = SeededReceiver()
        var terminal = ScriptedTerminal(width: 120, height: 40)
        var writer = FrameWriter()
        var most = 0
        for _ in 0..<20 {
            receiver.watch(1)
            let frame = draw(receiver)
            let before = terminal.written
            terminal.take(writer.bytes(for: frame, terminal))
            #expect(terminal.canvas == frame)
            if before > 0 { most = max(most, terminal.written - before) }
        }
        #expect(most < 120 * 40 / 3)
        #expect(writer.bytes(for: draw(receiver), terminal).isEmpty)
    }

    @Test func `everything is written if the content of the terminal is unknown`() {
        var receiver = SeededReceiver()
        receiver.watch(3)
        let frame = draw(receiver)
        var writer = FrameWriter()
        var terminal = ScriptedTerminal(width: 120, height: 40)
        _ = writer.bytes(for: frame, terminal)
        writer.forget()
        terminal.take(writer.bytes(for: frame, terminal))
        #expect(terminal.canvas == frame)
    }

    @Test func `the last cell is not written, because terminals would scroll`() {
        var frame = Canvas(width: 3, height: 2)
        frame.write("abc", 0, 0)
        frame.write("def", 0, 1)
        var writer = FrameWriter()
        var terminal = ScriptedTerminal(width: 3, height: 2)
        terminal.take(writer.bytes(for: frame, terminal))
        #expect(terminal.canvas.text == "abc\nde\n")
    }

    private func draw(_ receiver: SeededReceiver) -> Canvas {
        Screen.draw(
            [receiver.model], ScreenSettings(), at: receiver.now, width: 120, height: 40)
    }
}
