// SPDX-License-Identifier: MIT

/// The names of members, gpsd's and those that GeoJSON's features share, with what stands around them.
///
/// One static for all of them: on Linux each use of a static asks whether it has been made.
struct JSONNames: Sendable {
    static let all = JSONNames()

    let status: JSONPiece = #","status":"#
    let mode: JSONPiece = #","mode":"#
    let time: JSONPiece = #","time":""#
    let latitude: JSONPiece = #","lat":"#
    let longitude: JSONPiece = #","lon":"#
    let ellipsoidalAltitude: JSONPiece = #","altHAE":"#
    let seaLevelAltitude: JSONPiece = #","altMSL":"#
    let altitude: JSONPiece = #","alt":"#
    let eastError: JSONPiece = #","epx":"#
    let northError: JSONPiece = #","epy":"#
    let verticalError: JSONPiece = #","epv":"#
    let horizontalError: JSONPiece = #","eph":"#
    let sphericalError: JSONPiece = #","sep":"#
    let course: JSONPiece = #","track":"#
    let magneticCourse: JSONPiece = #","magtrack":"#
    let magneticVariation: JSONPiece = #","magvar":"#
    let speed: JSONPiece = #","speed":"#
    let geoidSeparation: JSONPiece = #","geoidSep":"#
    let correctionAge: JSONPiece = #","dgpsAge":"#
    let correctionStation: JSONPiece = #","dgpsSta":"#
    let hdop: JSONPiece = #","hdop":"#
    let pdop: JSONPiece = #","pdop":"#
    let vdop: JSONPiece = #","vdop":"#
    let inView: JSONPiece = #","nSat":"#
    let used: JSONPiece = #","uSat":"#
    let satellites: JSONPiece = #","satellites":["#
    let azimuth: JSONPiece = #","az":"#
    let elevation: JSONPiece = #","el":"#
    let strength: JSONPiece = #","ss":"#
    let isUsed: JSONPiece = #","used":true},"#
    let isUnused: JSONPiece = #","used":false},"#
    let objectEnd: JSONPiece = "}\n"
    let activated: JSONPiece = #","activated":"#
}
