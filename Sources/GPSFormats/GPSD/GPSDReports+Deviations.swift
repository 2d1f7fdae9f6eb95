// SPDX-License-Identifier: MIT
public import GNSS

extension GPSDReports {
    /// Writes a `GST` with the receiver's standard deviations. Writes nothing if none are known.
    public mutating func reportDeviations(of fix: Fix) {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return }
        text.appendRecord { [device] record in
            record.append(#"{"class":"GST","device":"#)
            record.append(device)
            record.append(time: fix.time)
            record.append(#","rms":"#, sigma.range, decimals: 3)
            record.append(#","major":"#, sigma.semiMajor, decimals: 3)
            record.append(#","minor":"#, sigma.semiMinor, decimals: 3)
            record.append(#","orient":"#, sigma.orientation, decimals: 3)
            record.append(#","lat":"#, sigma.latitude, decimals: 3)
            record.append(#","lon":"#, sigma.longitude, decimals: 3)
            record.append(#","alt":"#, sigma.altitude, decimals: 3)
            record.append("}\n")
        }
    }
}
