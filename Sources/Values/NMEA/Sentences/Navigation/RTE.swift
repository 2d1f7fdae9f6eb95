// SPDX-License-Identifier: MIT

/// A part of a route, with its waypoints.
///
///     $--RTE,x,x,a,c--c,c--c,…*hh
///     $GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50
public struct RTE: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RTE"
    /// All fields up to the kind are required. A receiver without a route sends only these.
    public static let minimumFieldCount = 3

    /// The number of sentences in the set.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// The kind of route: `c` the complete route, `w` the working route, which begins at the last
    /// waypoint passed.
    public var kind: UInt8?
    /// The name or number of the route.
    public var route: String?
    /// The names of the waypoints, in order. Waypoints without a name are omitted.
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
