// SPDX-License-Identifier: MIT

/// Garmin: the datum of the positions.
///
///     $PGRMM,c--c*hh
///     $PGRMM,WGS 84*06
public struct PGRMM: DeclaredSentence, Hashable {
    /// `PGRMM`.
    public static let formatter: SentenceFormatter = "PGRMM"
    /// The name.
    public static let minimumFieldCount = 1

    /// Its name as Garmin spells it.
    public var datum: String?

    /// Creates a sentence with all fields `nil`.
    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&datum)
    }
}
