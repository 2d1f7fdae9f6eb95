// SPDX-License-Identifier: MIT

extension String {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
