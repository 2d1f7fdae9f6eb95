// SPDX-License-Identifier: MIT

/// Texts for the values of a field that has a fixed set of values, as in gpsd.
enum AISLegend: Sendable {
    case navigationStatus
    case positionSource
    case shipType
    case aidType

    /// Returns the text for a value of the field.
    func text(_ value: Int) -> StaticString {
        switch self {
        case .navigationStatus: Self.statuses.indices.contains(value) ? Self.statuses[value] : ""
        case .positionSource:
            Self.sources.indices.contains(value) ? Self.sources[value] : "INVALID EPFD"
        case .shipType: Self.shipType(value)
        case .aidType: Self.aidTypes.indices.contains(value) ? Self.aidTypes[value] : ""
        }
    }

    /// The texts for navigation statuses, in the order of their values.
    private static let statuses: [StaticString] = [
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
    ]

    /// The texts for types of positioning devices, in the order of their values.
    private static let sources: [StaticString] = [
        "Undefined",
        "GPS",
        "GLONASS",
        "Combined GPS/GLONASS",
        "Loran-C",
        "Chayka",
        "Integrated navigation system",
        "Surveyed",
        "Galileo",
    ]

    /// The texts for types of aids to navigation, in the order of their values.
    private static let aidTypes: [StaticString] = [
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
    ]

    /// Returns the text for a type of ship and cargo.
    private static func shipType(_ value: Int) -> StaticString {
        switch value {
        case 0: "Not available"
        case 1...19: "Reserved for future use"
        case 20: "Wing in ground (WIG) - all ships of this type"
        case 21: "Wing in ground (WIG) - Hazardous category A"
        case 22: "Wing in ground (WIG) - Hazardous category B"
        case 23: "Wing in ground (WIG) - Hazardous category C"
        case 24: "Wing in ground (WIG) - Hazardous category D"
        case 25...29: "Wing in ground (WIG) - Reserved for future use"
        case 30: "Fishing"
        case 31: "Towing"
        case 32: "Towing: length exceeds 200m or breadth exceeds 25m"
        case 33: "Dredging or underwater ops"
        case 34: "Diving ops"
        case 35: "Military ops"
        case 36: "Sailing"
        case 37: "Pleasure Craft"
        case 38, 39: "Reserved"
        case 40: "High speed craft (HSC) - all ships of this type"
        case 41: "High speed craft (HSC) - Hazardous category A"
        case 42: "High speed craft (HSC) - Hazardous category B"
        case 43: "High speed craft (HSC) - Hazardous category C"
        case 44: "High speed craft (HSC) - Hazardous category D"
        case 45...48: "High speed craft (HSC) - Reserved for future use"
        case 49: "High speed craft (HSC) - No additional information"
        case 50: "Pilot Vessel"
        case 51: "Search and Rescue vessel"
        case 52: "Tug"
        case 53: "Port Tender"
        case 54: "Anti-pollution equipment"
        case 55: "Law Enforcement"
        case 56, 57: "Spare - Local Vessel"
        case 58: "Medical Transport"
        case 59: "Ship according to RR Resolution No. 18"
        case 60: "Passenger - all ships of this type"
        case 61: "Passenger - Hazardous category A"
        case 62: "Passenger - Hazardous category B"
        case 63: "Passenger - Hazardous category C"
        case 64: "Passenger - Hazardous category D"
        case 65...68: "Passenger - Reserved for future use"
        case 69: "Passenger - No additional information"
        case 70: "Cargo - all ships of this type"
        case 71: "Cargo - Hazardous category A"
        case 72: "Cargo - Hazardous category B"
        case 73: "Cargo - Hazardous category C"
        case 74: "Cargo - Hazardous category D"
        case 75...78: "Cargo - Reserved for future use"
        case 79: "Cargo - No additional information"
        case 80: "Tanker - all ships of this type"
        case 81: "Tanker - Hazardous category A"
        case 82: "Tanker - Hazardous category B"
        case 83: "Tanker - Hazardous category C"
        case 84: "Tanker - Hazardous category D"
        case 85...88: "Tanker - Reserved for future use"
        case 89: "Tanker - No additional information"
        case 90: "Other Type - all ships of this type"
        case 91: "Other Type - Hazardous category A"
        case 92: "Other Type - Hazardous category B"
        case 93: "Other Type - Hazardous category C"
        case 94: "Other Type - Hazardous category D"
        case 95...98: "Other Type - Reserved for future use"
        case 99: "Other Type - no additional information"
        default: "INVALID SHIP TYPE"
        }
    }
}
