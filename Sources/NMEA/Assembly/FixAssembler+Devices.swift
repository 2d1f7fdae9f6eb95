// SPDX-License-Identifier: MIT
import GNSS

// Compasses and other instruments on a receiver's line, which send at any time.
extension FixAssembler {
    /// The stored attitude that is swapped into the epoch while the current sentence contributes.
    enum SwappedAttitude: Equatable { case nothing, pendingAttitude, nextAttitude }

    /// Swaps the attitude of the epoch with the one that `swappedAttitude` selects. A second call
    /// restores them.
    mutating func swapAttitude() {
        switch swappedAttitude {
        case .nothing: break
        case .pendingAttitude: epoch.exchangeAttitude(&pendingAttitude)
        case .nextAttitude: epoch.exchangeAttitude(&nextAttitude)
        }
    }

    /// The longest gap between epochs across which an attitude is kept, in nanoseconds: two
    /// periods, and at least two seconds.
    var maximumAttitudeGap: Int64 { max(2_000_000_000, 2 * (published.period ?? 0)) }

    /// Returns whether the satellite receiver sent a sentence, rather than a compass, whose
    /// sentences do not end a cycle.
    @inline(__always)  // A call would copy the assembler.
    func isOfReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }
}
