// SPDX-License-Identifier: MIT

/// Garmin: the datum of the positions.
///
///     $PGRMM,c--c*hh
///     $PGRMM,WGS 84*06
public struct PGRMM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMM"

    /// Its name as Garmin spells it.
    public var datum: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&datum)
    }
}
