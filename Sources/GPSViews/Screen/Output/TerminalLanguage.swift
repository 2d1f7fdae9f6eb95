// SPDX-License-Identifier: MIT

/// The sequences that a terminal understands.
package protocol TerminalLanguage {
    /// Puts the cursor at a cell.
    func move(x: Int, y: Int) -> [UInt8]
    /// Returns the bytes that set a style, whatever the style was before.
    func style(_ style: Style) -> [UInt8]
    /// Blanks the whole screen.
    var clear: [UInt8] { get }
}
