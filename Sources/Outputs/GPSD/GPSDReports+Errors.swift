// SPDX-License-Identifier: MIT
public import GNSS

extension GPSDReports {
    /// Writes a `GST`: the receiver's standard deviations; nothing where it sends none.
    public mutating func reportDeviations(of fix: Fix) {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return }
        text.append(#"{"class":"GST","device":"#)
        text.append(device)
        text.append(time: fix.time)
        text.append(#","rms":"#, sigma.range, decimals: 3)
        text.append(#","major":"#, sigma.semiMajor, decimals: 3)
        text.append(#","minor":"#, sigma.semiMinor, decimals: 3)
        text.append(#","orient":"#, sigma.orientation, decimals: 3)
        text.append(#","lat":"#, sigma.latitude, decimals: 3)
        text.append(#","lon":"#, sigma.longitude, decimals: 3)
        text.append(#","alt":"#, sigma.altitude, decimals: 3)
        text.append("}\n")
    }

    /// Writes a `SKY` without satellites: the dilutions and counts of a fix; nothing where it has
    /// none.
    public mutating func reportDilution(of fix: Fix) {
        guard fix.dilution != DilutionOfPrecision() || fix.satellitesUsed != nil else { return }
        text.append(#"{"class":"SKY","device":"#)
        text.append(device)
        text.append(time: fix.time)
        text.append(#","hdop":"#, fix.dilution.hdop, decimals: 2)
        text.append(#","pdop":"#, fix.dilution.pdop, decimals: 2)
        text.append(#","vdop":"#, fix.dilution.vdop, decimals: 2)
        text.append(#","nSat":"#, fix.satellitesInView)
        text.append(#","uSat":"#, fix.satellitesUsed)
        text.append("}\n")
    }
}
