// SPDX-License-Identifier: MIT

/// A route: the waypoints of one part of it.
///
///     $--RTE,x,x,a,c--c,c--c,…*hh
///     $GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50
public struct RTE: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RTE"
    /// Up to the kind; a receiver without a route sends no more.
    public static let minimumFieldCount = 3

    /// Sentences in the set.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// `c` the complete route, `w` the working one, from the waypoint left behind on.
    public var kind: UInt8?
    /// Name or number of the route.
    public var route: String?
    /// Names in order; those without one are left out.
    public var waypoints: [String] = []

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&total)
        coder.integer(&part)
        coder.letter(&kind)
        coder.text(&route)
        coder.field(&waypoints) { fields in
            var names: [String] = []
            while !fields.isAtEnd {
                if let name = fields.text() { names.append(name) }
            }
            return names
        } write: { writer, names in
            for name in names { writer.text(name) }
        }
    }
}
