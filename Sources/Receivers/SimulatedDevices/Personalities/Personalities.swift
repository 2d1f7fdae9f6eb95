// SPDX-License-Identifier: MIT

extension Personality {
    /// All predefined personalities. To add one, declare it in this folder and list it here.
    public static let all: [Personality] = [
        .generic,
        .ublox6, .ublox7, .ublox8, .ublox9, .ublox10,
        .sirf3, .sirf4,
        .mt3339, .l76, .lc29h,
        .teseo, .trimble, .garmin,
        .nmea23, .nmea20,
        .compass, .satelliteCompass,
        .f9p,
        .x20p, .clone, .muteClone, .at9880, .lg290p, .um980,
    ]

    /// Returns the predefined personality with a name such as `ublox8`; `nil` if there is none.
    public static func named(_ name: String) -> Personality? {
        all.first { $0.name == name }
    }
}
