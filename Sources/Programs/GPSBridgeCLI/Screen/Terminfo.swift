// SPDX-License-Identifier: MIT
import CGPSCurses
import GPSViews

/// The control sequences of the user's terminal, from its terminfo entry.
struct Terminfo: TerminalLanguage {
    private let styles: [[UInt8]]
    let clear: [UInt8]
    /// The bytes that ring the bell; empty if the terminal has none.
    let bell: [UInt8]
    /// The bytes to write before the first frame.
    let greeting: [UInt8]
    /// The bytes to write after the last frame. They restore the previous screen.
    let farewell: [UInt8]

    /// Loads the entry of a terminal. Throws a `TerminalError` if libtinfo or the entry is missing,
    /// or if the terminal cannot position its cursor.
    init(_ descriptor: CInt, name: String, isColoured: Bool) throws(TerminalError) {
        let opened = ccurses_open(descriptor)
        guard opened != -2 else { throw .noTerminfo }
        guard opened == 0, !Self.sequence("cup", 0, 0).isEmpty else {
            throw .incapable(name)
        }
        clear = Self.sequence("clear")
        bell = Self.sequence("bel")
        greeting = Self.sequence("smcup") + Self.sequence("civis")
        // On a terminal without an alternate screen, the shell continues on a cleared screen.
        let end = Self.sequence("rmcup")
        farewell = Self.sequence("sgr0") + Self.sequence("cnorm") + (end.isEmpty ? clear : end)
        let colours = isColoured ? ccurses_number("colors") : 0
        styles = (0..<Style.Role.allCases.count * 8).map { Self.style($0, colours) }
    }

    func move(x: Int, y: Int) -> [UInt8] {
        Self.sequence("cup", CInt(clamping: y), CInt(clamping: x))
    }

    func style(_ style: Style) -> [UInt8] {
        let emphasis = (style.isBold ? 1 : 0) + (style.isReversed ? 2 : 0) + (style.isDim ? 4 : 0)
        return styles[Int(style.role.rawValue) * 8 + emphasis]
    }

    private static func style(_ index: Int, _ colours: CInt) -> [UInt8] {
        let role = Style.Role.allCases[index / 8]
        var bytes = sequence("sgr0")
        let isDim = index & 4 != 0
        if index & 1 != 0 { bytes += sequence("bold") }
        if index & 2 != 0 { bytes += sequence("rev") }
        if colours >= 256, isDim, role == .plain {
            return bytes + sequence("setaf", CInt(Style.Role.dimColour))
        }
        if isDim { bytes += sequence("dim") }
        if let colour = role.colour(of: Int(colours)) {
            bytes += sequence("setaf", CInt(colour))
        }
        return bytes
    }

    private static func sequence(_ name: String, _ a: CInt = 0, _ b: CInt = 0) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = ccurses_sequence(name, a, b, &buffer, CInt(buffer.count))
        return buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
    }
}
