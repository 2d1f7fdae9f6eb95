// SPDX-License-Identifier: MIT
public import GNSS

/// A waypoint.
///
///     $--WPL,ddmm.mm,a,dddmm.mm,a,c--c*hh
///     $GPWPL,4917.16000,N,12310.64000,W,HARBOUR*07
public struct WPL: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "WPL"
    /// All fields are required.
    public static let minimumFieldCount = 5

    /// The position of the waypoint, in degrees.
    public var coordinate: Coordinate?
    /// The name of the waypoint.
    public var name: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.coordinate(&coordinate)
        coder.text(&name)
    }
}
