// SPDX-License-Identifier: MIT

/// The datum of the positions, from Garmin.
///
///     $PGRMM,c--c*hh
///     $PGRMM,WGS 84*06
public struct PGRMM: DatumSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMM"

    /// The name of the datum, as Garmin spells it.
    public var datum: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&datum)
    }

    /// The name of the datum if it is not WGS 84; `nil` otherwise.
    public var otherDatum: String? {
        datum.flatMap { $0.filter { $0 != " " }.uppercased() == "WGS84" ? nil : $0 }
    }
}
