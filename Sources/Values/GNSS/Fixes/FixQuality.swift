// SPDX-License-Identifier: MIT

/// The source of a fix. Raw values are those of GGA field 6; other sentences use a mode letter.
public enum FixQuality: UInt8, CaseIterable, Hashable, Sendable {
    /// No fix (GGA 0, mode `N`).
    case invalid = 0
    /// Satellites without corrections (GGA 1, mode `A`).
    case autonomous = 1
    /// Satellites with corrections, including SBAS (GGA 2, mode `D`).
    case differential = 2
    /// Precise positioning service (GGA 3, mode `P`).
    case precise = 3
    /// Real-time kinematic with fixed ambiguities; centimetre accuracy (GGA 4, mode `R`).
    case rtkFixed = 4
    /// Real-time kinematic with floating ambiguities; decimetre accuracy (GGA 5, mode `F`).
    case rtkFloat = 5
    /// Dead reckoning (GGA 6, mode `E`).
    case estimated = 6
    /// A position entered by the user (GGA 7, mode `M`).
    case manual = 7
    /// A simulator (GGA 8, mode `S`).
    case simulated = 8

    /// The priority if sentences of one epoch report different qualities: the quality with the
    /// highest rank is used. `simulated` ranks highest, because a simulator's proprietary sentences
    /// cannot express it and therefore report another quality.
    package var rank: Int {
        switch self {
        case .invalid: 0
        case .manual: 1
        case .estimated: 2
        case .autonomous: 3
        case .precise: 4
        case .differential: 5
        case .rtkFloat: 6
        case .rtkFixed: 7
        case .simulated: 8
        }
    }
}

extension FixQuality {
    /// The name of the quality in GeoJSON and CSV.
    package var name: StaticString {
        switch self {
        case .invalid: "invalid"
        case .autonomous: "autonomous"
        case .differential: "differential"
        case .precise: "precise"
        case .rtkFixed: "rtk_fixed"
        case .rtkFloat: "rtk_float"
        case .estimated: "estimated"
        case .manual: "manual"
        case .simulated: "simulated"
        }
    }

    /// Creates a quality from its name. Returns `nil` for an unknown name.
    package init?(name: String) {
        guard let quality = Self.allCases.first(where: { "\($0.name)" == name }) else { return nil }
        self = quality
    }
}

/// Describes the quality of a fix in words.
package enum FixQualityText {
    /// Returns the dimensions and the source of a position as text: `3D, RTK fixed`.
    package static func text(_ fix: Fix) -> String {
        let dimensions =
            switch fix.mode {
            case .noFix: "no fix"
            case .twoD: "2D, no altitude"
            case .threeD: "3D"
            }
        guard fix.mode > .noFix else { return dimensions }
        return [dimensions, kind(fix.quality)].compactMap(\.self).joined(separator: ", ")
    }

    /// Returns the source of a position as text: `satellites alone`. Returns `nil` for `.invalid`.
    package static func kind(_ quality: FixQuality) -> String? {
        switch quality {
        case .invalid: nil
        case .autonomous: "satellites alone"
        case .differential: "corrected by DGPS/SBAS"
        case .precise: "precise (PPS)"
        case .rtkFixed: "RTK fixed"
        case .rtkFloat: "RTK float"
        case .estimated: "dead reckoning"
        case .manual: "entered manually"
        case .simulated: "simulated"
        }
    }
}
