// SPDX-License-Identifier: MIT

/// The fields of each message type that follow the type, repeat indicator and MMSI, in bit order
/// (ITU-R M.1371).
enum AISLayout {
    /// Returns the fields of a message type, or `nil` if the type is not decoded. `part` selects
    /// one of the two layouts of type 24: 0 for part A, 1 for part B.
    static func fields(type: Int, part: Int?) -> [AISField]? {
        switch (type, part) {
        case (1, _), (2, _), (3, _): positionReport
        case (4, _): baseStation
        case (5, _): voyage
        case (18, _): classB
        case (19, _): extendedClassB
        case (21, _): aidToNavigation
        case (24, 0): staticPartA
        case (24, 1): staticPartB
        default: nil
        }
    }

    /// Returns the number of bits at the end of a message type that may be missing, as in gpsd.
    /// Some transmitters omit them.
    static func optionalWidth(type: Int) -> Int {
        switch type {
        case 1...3: 5
        case 5: 3
        default: 0
        }
    }

    private static let positionReport: [AISField] = [
        .choice("status", 4, .navigationStatus), .turn("turn"), .speed("speed"),
        .flag("accuracy"), .coordinate("lon", 28), .coordinate("lat", 27),
        .tenths("course", 12), .number("heading", 9), .number("second", 6),
        .number("maneuver", 2), .spare(3), .flag("raim"), .number("radio", 19),
    ]

    private static let baseStation: [AISField] = [
        .timestamp("timestamp"), .flag("accuracy"), .coordinate("lon", 28),
        .coordinate("lat", 27), .choice("epfd", 4, .positionSource), .spare(10), .flag("raim"),
        .number("radio", 19),
    ]

    private static let voyage: [AISField] = [
        .number("ais_version", 2), .number("imo", 30), .text("callsign", 7),
        .text("shipname", 20), .choice("shiptype", 8, .shipType), .dimensions,
        .choice("epfd", 4, .positionSource), .arrival("eta"), .tenths("draught", 8),
        .text("destination", 20), .number("dte", 1),
    ]

    private static let classB: [AISField] = [
        .number("reserved", 8), .tenths("speed", 10), .flag("accuracy"),
        .coordinate("lon", 28), .coordinate("lat", 27), .tenths("course", 12),
        .number("heading", 9), .number("second", 6), .number("regional", 2), .flag("cs"),
        .flag("display"), .flag("dsc"), .flag("band"), .flag("msg22"), .spare(1), .flag("raim"),
        .number("radio", 20),
    ]

    private static let extendedClassB: [AISField] = [
        .number("reserved", 8), .tenths("speed", 10), .flag("accuracy"),
        .coordinate("lon", 28), .coordinate("lat", 27), .tenths("course", 12),
        .number("heading", 9), .number("second", 6), .number("regional", 4),
        .text("shipname", 20), .choice("shiptype", 8, .shipType), .dimensions,
        .choice("epfd", 4, .positionSource), .flag("raim"), .number("dte", 1),
        .flag("assigned"),
    ]

    private static let aidToNavigation: [AISField] = [
        .choice("aid_type", 5, .aidType), .extendedText("name", 20, rest: 272),
        .flag("accuracy"), .coordinate("lon", 28), .coordinate("lat", 27), .dimensions,
        .choice("epfd", 4, .positionSource), .number("second", 6), .flag("off_position"),
        .number("regional", 8), .flag("raim"), .flag("virtual_aid"), .spare(1),
    ]

    private static let staticPartA: [AISField] = [.spare(2), .text("shipname", 20)]

    // As in gpsd, the vendor name also includes the bits of the model and the serial number,
    // because older transponders use them for a longer name.
    private static let staticPartB: [AISField] = [
        .spare(2), .choice("shiptype", 8, .shipType), .sharedText("vendorid", 7), .spare(18),
        .number("model", 4), .number("serial", 20), .text("callsign", 7), .dimensions,
    ]
}
