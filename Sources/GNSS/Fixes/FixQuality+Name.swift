// SPDX-License-Identifier: MIT

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
