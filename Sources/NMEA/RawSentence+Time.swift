// SPDX-License-Identifier: MIT
public import GNSS

extension RawSentence {
    /// The time of the epoch, for the sentences that carry it: RMC, GGA, GNS, ZDA, GBS, GLL, and
    /// u-blox's and Trimble's whole fixes.
    public var epochTime: TimeOfDay? {
        switch address.kind {
        case .standard("RMC"), .standard("GGA"), .standard("GNS"), .standard("ZDA"),
            .standard("GBS"):
            var reader = fields
            return reader.time()
        case .standard("GLL"):
            var reader = fields
            reader.skip(4)
            return reader.time()
        case .proprietary:
            for formatter in ["PUBX,00", "PTNL,GGK"] as [SentenceFormatter] {
                if var reader = fields(of: formatter) { return reader.time() }
            }
            return nil
        default:
            return nil
        }
    }
}
