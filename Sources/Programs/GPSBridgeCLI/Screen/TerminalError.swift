// SPDX-License-Identifier: MIT

/// The reason why a terminal cannot show a screen.
enum TerminalError: Error, CustomStringConvertible {
    /// Standard output is not a terminal, or there is no terminal to read keys from.
    case notATerminal
    /// The terminal cannot position its cursor, or has no terminfo entry. The value is its name.
    case incapable(String)
    /// libtinfo is not installed.
    case noTerminfo

    var description: String {
        switch self {
        case .notATerminal: "standard output is not a terminal: use --format text"
        case .incapable(let name):
            "the terminal type '\(name)' does not support a full screen: use --format text"
        case .noTerminfo:
            "the full screen needs libtinfo, which is missing; install it "
                + "(Debian: apt-get install libtinfo6), or use --format text"
        }
    }
}
