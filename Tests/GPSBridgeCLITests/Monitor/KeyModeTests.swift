// SPDX-License-Identifier: MIT
import CGPSCurses
import GPSIO
import GPSTestTraits
import Glibc
import Testing

/// The signal handlers that restore the terminal after SIGQUIT or a crash.
@Suite(.timeLimit(.generous))
struct KeyModeTests {
    @Test func `a closed screen leaves no signal handler that writes to its descriptor`() throws {
        let terminal = try PseudoTerminal()
        let descriptor = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let before = handler(of: SIGQUIT)
        let farewell: [CChar] = [0x21]
        try #require(ccurses_set_key_mode(descriptor, descriptor, farewell, 1) == 0)
        let during = handler(of: SIGQUIT)
        ccurses_restore()
        ccurses_close()
        #expect(during != before)
        #expect(handler(of: SIGQUIT) == before)
    }

    /// The address of a signal's handler; 0 for the default action.
    private func handler(of signal: CInt) -> Int {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler: (@convention(c) (CInt) -> Void)? = action.__sigaction_handler.sa_handler
        return unsafeBitCast(handler, to: Int.self)
    }
}
