// SPDX-License-Identifier: MIT

/// Formats counts for the user.
package enum Plural {
    /// Returns a count with a noun, such as `1 sentence` or `3 sentences`.
    ///
    /// `plural` follows every count except 1; by default, it is `noun` with an `s`. Both texts can
    /// contain the verb: `Plural.text(count, "fix was", "fixes were")`.
    package static func text(
        _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
    ) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
