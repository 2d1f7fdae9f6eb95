// SPDX-License-Identifier: MIT

/// Up to sixteen characters that are written as they are, made ready once.
struct JSONPiece: ExpressibleByStringLiteral, Sendable {
    /// The first eight characters, the first in the lowest byte.
    let low: UInt64
    let high: UInt64
    let count: Int

    init(stringLiteral text: StaticString) {
        let bytes = text.withUTF8Buffer { Array($0.prefix(16)) }
        self.init(bytes[...])
    }

    /// Takes up to sixteen characters.
    init(_ bytes: ArraySlice<UInt8>) {
        var words: (low: UInt64, high: UInt64) = (0, 0)
        for byte in bytes.reversed() {
            words.high = words.high << 8 | words.low >> 56
            words.low = words.low << 8 | UInt64(byte)
        }
        (low, high) = words
        count = bytes.count
    }
}

extension JSONPiece {
    static let status: JSONPiece = #","status":"#
    static let mode: JSONPiece = #","mode":"#
    static let time: JSONPiece = #","time":""#
    static let latitude: JSONPiece = #","lat":"#
    static let longitude: JSONPiece = #","lon":"#
    static let ellipsoidalAltitude: JSONPiece = #","altHAE":"#
    static let seaLevelAltitude: JSONPiece = #","altMSL":"#
    static let altitude: JSONPiece = #","alt":"#
    static let eastError: JSONPiece = #","epx":"#
    static let northError: JSONPiece = #","epy":"#
    static let verticalError: JSONPiece = #","epv":"#
    static let horizontalError: JSONPiece = #","eph":"#
    static let sphericalError: JSONPiece = #","sep":"#
    static let course: JSONPiece = #","track":"#
    static let magneticCourse: JSONPiece = #","magtrack":"#
    static let magneticVariation: JSONPiece = #","magvar":"#
    static let speed: JSONPiece = #","speed":"#
    static let geoidSeparation: JSONPiece = #","geoidSep":"#
    static let correctionAge: JSONPiece = #","dgpsAge":"#
    static let correctionStation: JSONPiece = #","dgpsSta":"#
    static let hdop: JSONPiece = #","hdop":"#
    static let pdop: JSONPiece = #","pdop":"#
    static let vdop: JSONPiece = #","vdop":"#
    static let inView: JSONPiece = #","nSat":"#
    static let used: JSONPiece = #","uSat":"#
    static let satellites: JSONPiece = #","satellites":["#
    static let azimuth: JSONPiece = #","az":"#
    static let elevation: JSONPiece = #","el":"#
    static let strength: JSONPiece = #","ss":"#
    static let isUsed: JSONPiece = #","used":true},"#
    static let isUnused: JSONPiece = #","used":false},"#
    static let objectEnd: JSONPiece = "}\n"
    static let activated: JSONPiece = #","activated":"#
}
