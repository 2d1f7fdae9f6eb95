// SPDX-License-Identifier: MIT
public import GNSS

extension RawSentence {
    /// The time of the epoch, for the sentences that carry it: RMC, GGA, GNS, ZDA, GBS, GLL.
    public var epochTime: TimeOfDay? {
        guard case .standard(let formatter) = address.kind else { return nil }
        var reader = fields
        switch formatter {
        case "RMC", "GGA", "GNS", "ZDA", "GBS": break
        case "GLL": reader.skip(4)
        default: return nil
        }
        return reader.time()
    }
}
