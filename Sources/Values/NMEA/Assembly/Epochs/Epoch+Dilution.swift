// SPDX-License-Identifier: MIT
import GNSS

extension Epoch {
    /// Sets the DOPs of a list of used satellites (GSA). `constellation` is that of the list, if
    /// known.
    ///
    /// Some receivers report the DOPs of each constellation alone. With the satellites of all
    /// constellations, the DOPs are not larger than with a part of them. Therefore, the smallest
    /// value of each DOP is used if those of two constellations differ.
    mutating func fill(_ dilution: DilutionOfPrecision, of constellation: Constellation?) {
        guard dilution != DilutionOfPrecision(), !isDistant else { return }
        var new = dilution
        if let firstDilution, let constellation, constellation != firstDilution {
            let old = fix.dilution
            if let known = old.hdop, let hdop = new.hdop, hdop != known {
                hasPartialDilution = true
                new.hdop = min(hdop, known, totalHDOP ?? known)
            }
            new.vdop = Self.smaller(new.vdop, old.vdop)
            new.pdop = Self.smaller(new.pdop, old.pdop)
        } else if firstDilution == nil {
            firstDilution = constellation
        }
        fill(\.dilution.hdop, new.hdop)
        fill(\.dilution.vdop, new.vdop)
        fill(\.dilution.pdop, new.pdop)
    }

    /// Sets the horizontal DOP that GGA or GNS reports. It does not replace that of GSA, which may
    /// have more decimals, except for a larger one of a single constellation.
    mutating func fill(totalHDOP hdop: Double?) {
        guard let hdop, !isDistant else { return }
        totalHDOP = hdop
        let known = fix.dilution.hdop
        let isUsed = known.map { hasPartialDilution && hdop < $0 } ?? true
        if isUsed { fill(\.dilution.hdop, hdop) }
    }

    /// Returns the smaller DOP if both are known, otherwise the first.
    private static func smaller(_ new: Double?, _ old: Double?) -> Double? {
        guard let new, let old else { return new }
        return min(new, old)
    }
}
