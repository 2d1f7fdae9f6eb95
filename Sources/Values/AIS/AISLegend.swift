// SPDX-License-Identifier: MIT

/// Texts for the values of a field that has a fixed set of values, as in gpsd.
struct AISLegend: Sendable {
    private let texts: [String]
    private let other: String

    /// Creates a legend. `texts` contains the texts for the values 0, 1, 2 and so on; `other` is
    /// the text for any other value.
    private init(_ texts: [String], other: String = "") {
        (self.texts, self.other) = (texts, other)
    }

    func text(_ value: Int) -> String {
        texts.indices.contains(value) ? texts[value] : other
    }

    /// The texts for the navigational status of a ship.
    static let navigationStatus = AISLegend(
        [
            "Under way using engine",
            "At anchor",
            "Not under command",
            "Restricted manoeuverability",
            "Constrained by her draught",
            "Moored",
            "Aground",
            "Engaged in fishing",
            "Under way sailing",
            "Reserved for HSC",
            "Reserved for WIG",
            "Reserved",
            "Reserved",
            "Reserved",
            "Reserved",
            "Not defined",
        ])

    /// The texts for the type of a station's positioning device.
    static let positionSource = AISLegend(
        [
            "Undefined",
            "GPS",
            "GLONASS",
            "Combined GPS/GLONASS",
            "Loran-C",
            "Chayka",
            "Integrated navigation system",
            "Surveyed",
            "Galileo",
        ], other: "INVALID EPFD")

    /// The texts for the type of an aid to navigation.
    static let aidType = AISLegend(
        [
            "Unspecified",
            "Reference point",
            "RACON",
            "Fixed offshore structure",
            "Spare, Reserved for future use.",
            "Light, without sectors",
            "Light, with sectors",
            "Leading Light Front",
            "Leading Light Rear",
            "Beacon, Cardinal N",
            "Beacon, Cardinal E",
            "Beacon, Cardinal S",
            "Beacon, Cardinal W",
            "Beacon, Port hand",
            "Beacon, Starboard hand",
            "Beacon, Preferred Channel port hand",
            "Beacon, Preferred Channel starboard hand",
            "Beacon, Isolated danger",
            "Beacon, Safe water",
            "Beacon, Special mark",
            "Cardinal Mark N",
            "Cardinal Mark E",
            "Cardinal Mark S",
            "Cardinal Mark W",
            "Port hand Mark",
            "Starboard hand Mark",
            "Preferred Channel Port hand",
            "Preferred Channel Starboard hand",
            "Isolated danger",
            "Safe Water",
            "Special Mark",
            "Light Vessel / LANBY / Rigs",
        ])

    /// The texts for the type of a ship and of its cargo.
    static let shipType = AISLegend(
        Array(shipTypes.joined()), other: "INVALID SHIP TYPE")

    private static let shipTypes: [[String]] = [
        ["Not available"], Array(repeating: reserved, count: 19),
        cargoes("Wing in ground (WIG)", last: reserved),
        [
            "Fishing",
            "Towing",
            "Towing: length exceeds 200m or breadth exceeds 25m",
            "Dredging or underwater ops",
            "Diving ops",
            "Military ops",
            "Sailing",
            "Pleasure Craft",
            "Reserved",
            "Reserved",
        ],
        cargoes("High speed craft (HSC)"),
        [
            "Pilot Vessel",
            "Search and Rescue vessel",
            "Tug",
            "Port Tender",
            "Anti-pollution equipment",
            "Law Enforcement",
            "Spare - Local Vessel",
            "Spare - Local Vessel",
            "Medical Transport",
            "Ship according to RR Resolution No. 18",
        ],
        cargoes("Passenger"), cargoes("Cargo"), cargoes("Tanker"),
        cargoes("Other Type", last: "no additional information"),
    ]

    private static let reserved = "Reserved for future use"

    /// Returns the texts for the ten types of one kind of ship, which differ in their cargo. `last`
    /// is the text for the tenth type.
    private static func cargoes(
        _ ship: String, last: String = "No additional information"
    ) -> [String] {
        let hazardous = "ABCD".map { "Hazardous category \($0)" }
        let texts = ["all ships of this type"] + hazardous + Array(repeating: reserved, count: 4)
        return (texts + [last]).map { "\(ship) - \($0)" }
    }
}
