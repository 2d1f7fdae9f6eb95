// SPDX-License-Identifier: MIT
import GNSS

extension FixQuality {
    /// How GeoJSON and CSV name it.
    var name: StaticString {
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
}
