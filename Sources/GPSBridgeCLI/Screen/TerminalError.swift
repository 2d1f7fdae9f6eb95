// SPDX-License-Identifier: MIT

/// Why a terminal cannot show a screen.
enum TerminalError: Error, CustomStringConvertible {
    /// Output, or what keys come from, is no terminal.
    case notATerminal
    /// It cannot place its cursor, or is not in the terminfo database.
    case incapable(String)
    /// libtinfo is not installed.
    case noTerminfo

    var description: String {
        switch self {
        case .notATerminal: "standard output is no terminal: --format text needs none"
        case .incapable(let name):
            "the terminal '\(name)' cannot show a screen: --format text needs less"
        case .noTerminfo:
            "the screen needs libtinfo (Debian: apt-get install libtinfo6): --format text needs none"
        }
    }
}
