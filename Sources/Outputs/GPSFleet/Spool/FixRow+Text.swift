// SPDX-License-Identifier: MIT

extension FixRow {
    private static let firstOther = FixColumn.CommonTable<Int64>.count

    /// The scaled values after the common columns, separated by commas: `2,2500,,0`. The text of a
    /// missing value is empty. `nil` if all values are missing.
    var othersText: String? {
        guard hasOthers else { return nil }
        var texts = (Self.firstOther..<FixColumn.all.count).map { index in
            self[index] == Self.unknown ? "" : String(self[index])
        }
        while texts.last == "" { texts.removeLast() }
        return texts.joined(separator: ",")
    }

    /// Sets the values after the common columns from a text in the form of `othersText`. Surplus
    /// values, which a later version may have written, are ignored.
    mutating func setOthers(_ text: String) {
        guard !text.isEmpty else { return }
        let values = text.split(separator: ",", omittingEmptySubsequences: false)
        for (index, value) in zip(Self.firstOther..<FixColumn.all.count, values) {
            self[index] = Int64(value) ?? Self.unknown
        }
    }
}
