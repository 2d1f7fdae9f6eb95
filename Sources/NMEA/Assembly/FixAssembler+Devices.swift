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

    /// Removes the values that were reported after the last fix, or that are kept for this one.
    mutating func forgetAttitude() {
        nextAttitude = ReportedAttitude()
        lateAttitude = nil
    }

    /// Keeps the values of this epoch for the next one, because this fix is published only at the
    /// end of its epoch. The epoch then contains values that were sent after the receiver's last
    /// sentence. As soon as fixes are published with that sentence, such values belong to the next
    /// fix, and without these, one fix would have none.
    mutating func keepLateAttitude() {
        var values = ReportedAttitude()
        epoch.exchangeAttitude(&values)
        var kept = values
        epoch.exchangeAttitude(&values)
        kept.instruments.fillGaps(with: pendingAttitude.instruments)
        let isEmpty = kept.instruments.isEmpty && kept.attitude == Attitude()
        lateAttitude = isEmpty ? nil : kept
    }

    /// Adds the kept values to a fix that is published before the end of its epoch, unless newer
    /// ones have been sent.
    mutating func useLateAttitude() {
        guard var values = lateAttitude else { return }
        lateAttitude = nil
        var instruments = pendingAttitude.instruments
        instruments.fillGaps(with: values.instruments)
        values.add(pendingAttitude)
        values.instruments = instruments
        pendingAttitude = values
    }

    /// Returns whether the satellite receiver sent a sentence, rather than a compass, whose
    /// sentences do not end a cycle.
    @inline(__always)  // A call would copy the assembler.
    func isOfReceiver(_ address: Address) -> Bool {
        address.isOfSatelliteReceiver || address.talkerKey == opener?.talkerKey
    }
}
