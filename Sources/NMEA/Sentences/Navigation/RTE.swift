// SPDX-License-Identifier: MIT

/// A route: the waypoints of one part of it.
///
///     $--RTE,x,x,a,c--c,c--c,…*hh
///     $GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50
public struct RTE: Sentence, Hashable {
    /// `RTE`.
    public static let formatter: SentenceFormatter = "RTE"
    /// Up to the kind; a receiver without a route sends no more.
    public static let minimumFieldCount = 3

    /// Sentences in the set.
    public var total: Int?
    /// Which of them this is, from 1.
    public var part: Int?
    /// `c` the complete route, `w` the working one, from the waypoint left behind on.
    public var kind: UInt8?
    /// Name or number of the route.
    public var route: String?
    /// Names in order; those without one are left out.
    public var waypoints: [String] = []

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        total = fields.integer()
        part = fields.integer()
        kind = fields.letter()
        route = fields.text()
        while !fields.isAtEnd {
            if let name = fields.text() { waypoints.append(name) }
        }
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.integer(total)
        writer.integer(part)
        writer.letter(kind)
        writer.text(route)
        for name in waypoints { writer.text(name) }
    }
}
