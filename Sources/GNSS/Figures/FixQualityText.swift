// SPDX-License-Identifier: MIT

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
