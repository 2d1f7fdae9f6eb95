// SPDX-License-Identifier: MIT
import GNSS

extension FixQuality {
    /// How GeoJSON and CSV name it.
    var piece: JSONPiece {
        switch self {
        case .invalid: .invalid
        case .autonomous: .autonomous
        case .differential: .differential
        case .precise: .precise
        case .rtkFixed: .rtkFixed
        case .rtkFloat: .rtkFloat
        case .estimated: .estimated
        case .manual: .manual
        case .simulated: .simulated
        }
    }
}

extension JSONPiece {
    fileprivate static let invalid: JSONPiece = "invalid"
    fileprivate static let autonomous: JSONPiece = "autonomous"
    fileprivate static let differential: JSONPiece = "differential"
    fileprivate static let precise: JSONPiece = "precise"
    fileprivate static let rtkFixed: JSONPiece = "rtk_fixed"
    fileprivate static let rtkFloat: JSONPiece = "rtk_float"
    fileprivate static let estimated: JSONPiece = "estimated"
    fileprivate static let manual: JSONPiece = "manual"
    fileprivate static let simulated: JSONPiece = "simulated"
}
