// SPDX-License-Identifier: MIT

extension String {
    /// Without the blanks around it.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
