// SPDX-License-Identifier: MIT

/// The control sequences of a terminal.
package protocol TerminalLanguage {
    /// Returns the bytes that move the cursor to a cell.
    func move(x: Int, y: Int) -> [UInt8]
    /// Returns the bytes that set a style, regardless of the previous style.
    func style(_ style: Style) -> [UInt8]
    /// The bytes that clear the screen.
    var clear: [UInt8] { get }
}
