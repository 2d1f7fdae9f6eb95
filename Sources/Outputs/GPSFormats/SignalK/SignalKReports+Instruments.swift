// SPDX-License-Identifier: MIT
import NMEA

extension SignalKReports {
    static let trueWindSpeedPath = "environment.wind.speedTrue"

    /// Returns whether a sentence is MWD.
    static func isMWD(_ sentence: [UInt8]) -> Bool {
        sentence.dropFirst(3).starts(with: "MWD".utf8)
    }

    /// Returns the paths for an instrument's sentence with their values; `nil` for an unknown
    /// value. Returns an empty list for other sentences.
    static func values(ofSentence sentence: [UInt8]) -> [Value] {
        guard sentence.count > 6, sentence[0] == UInt8(ascii: "$") else { return [] }
        switch String(decoding: sentence[3..<6], as: UTF8.self) {
        case "DPT": return reading(sentence, depths(of:))
        case "DBT":
            return reading(sentence) { (sentence: DBT) in
                [("environment.depth.belowTransducer", number(sentence.depth, decimals: 2))]
            }
        case "DBK":
            return reading(sentence) { (sentence: DBK) in
                [("environment.depth.belowKeel", number(sentence.depth, decimals: 2))]
            }
        case "DBS":
            return reading(sentence) { (sentence: DBS) in
                [("environment.depth.belowSurface", number(sentence.depth, decimals: 2))]
            }
        case "HDG":
            return reading(sentence) { (sentence: HDG) in
                [("navigation.magneticVariation", radians(sentence.variation))]
            }
        case "MTW":
            return reading(sentence) { (sentence: MTW) in
                let kelvin = sentence.temperature.map { $0 + 273.15 }
                return [("environment.water.temperature", number(kelvin, decimals: 2))]
            }
        case "MWV": return reading(sentence, wind(of:))
        case "VWR":
            return reading(sentence) { (sentence: VWR) in
                [
                    ("environment.wind.angleApparent", radians(sentence.signedAngle)),
                    ("environment.wind.speedApparent", number(sentence.speed, decimals: 2)),
                ]
            }
        case "VWT":
            return reading(sentence) { (sentence: VWT) in
                [("environment.wind.angleTrueWater", radians(sentence.signedAngle))]
                    + trueWindSpeed(sentence.speed)
            }
        case "MWD": return reading(sentence, groundWind(of:))
        default: return []
        }
    }

    private static func reading<S: Sentence>(
        _ bytes: [UInt8], _ values: (S) -> [Value]
    ) -> [Value] {
        // The checksum has already been verified. A sentence with a malformed field has no values.
        (try? S(String(decoding: bytes, as: UTF8.self))).map(values) ?? []
    }

    private static func depths(of sentence: DPT) -> [Value] {
        let offset = sentence.offset ?? 0
        var values: [Value] = [
            ("environment.depth.belowTransducer", number(sentence.depth, decimals: 2))
        ]
        // Without an offset, the values of DBK and DBS remain valid.
        if offset < 0 {
            values += [
                ("environment.depth.belowKeel", number(sentence.depthBelowKeel, decimals: 2)),
                ("environment.depth.transducerToKeel", number(-offset, decimals: 2)),
            ]
        } else if offset > 0 {
            values += [
                ("environment.depth.belowSurface", number(sentence.depthBelowSurface, decimals: 2)),
                ("environment.depth.surfaceToTransducer", number(offset, decimals: 2)),
            ]
        }
        return values
    }

    /// Returns the path and value for the speed of the true wind; an empty list if the speed is
    /// unknown, so that the value of another sentence remains valid.
    private static func trueWindSpeed(_ speed: Double?) -> [Value] {
        number(speed, decimals: 2).map { [(trueWindSpeedPath, $0)] } ?? []
    }

    private static func groundWind(of sentence: MWD) -> [Value] {
        [
            ("environment.wind.directionTrue", radians(sentence.trueDirection)),
            ("environment.wind.directionMagnetic", radians(sentence.magneticDirection)),
        ] + trueWindSpeed(sentence.speed)
    }

    private static func wind(of sentence: MWV) -> [Value] {
        let isValid = sentence.status != UInt8(ascii: "V")
        // Signal K's angles are from −180° to 180°, negative to port.
        let angle = sentence.angle.map { $0 > 180 ? $0 - 360 : $0 }
        let values =
            isValid
            ? (radians(angle), number(sentence.speedMetresPerSecond, decimals: 2)) : (nil, nil)
        switch sentence.reference {
        case UInt8(ascii: "R"):
            return [
                ("environment.wind.angleApparent", values.0),
                ("environment.wind.speedApparent", values.1),
            ]
        case UInt8(ascii: "T"):
            return [
                ("environment.wind.angleTrueWater", values.0),
                (trueWindSpeedPath, values.1),
            ]
        default: return []
        }
    }
}
