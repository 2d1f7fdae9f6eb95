// SPDX-License-Identifier: MIT
import GNSS

/// `GST`: what the receiver believes about its error, one sigma in metres.
struct GSTReport {
    /// The object, without a line end.
    let object: String

    /// Creates a report; `nil` where the receiver reports no deviations.
    init?(_ fix: Fix, device: String) {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return nil }
        var object = JSONObject(class: "GST")
        object.add("device", device)
        object.add("time", fix.time?.description)
        object.add("major", sigma.semiMajor, decimals: 3)
        object.add("minor", sigma.semiMinor, decimals: 3)
        object.add("lat", sigma.latitude, decimals: 3)
        object.add("lon", sigma.longitude, decimals: 3)
        object.add("alt", sigma.altitude, decimals: 3)
        self.object = object.description
    }

    var line: [UInt8] { Array(object.utf8) + [0x0D, 0x0A] }
}
