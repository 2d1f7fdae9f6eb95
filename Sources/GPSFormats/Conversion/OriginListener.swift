// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA

/// A listener of a conversion that also receives the origin of the fixes.
package protocol OriginListener: DecoderListener {
    /// Called before a fix if its origin differs from that of the source so far. A recording states
    /// another origin if it was continued.
    func didChange(origin: DataOrigin)
}
