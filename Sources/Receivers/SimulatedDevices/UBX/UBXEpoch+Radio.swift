// SPDX-License-Identifier: MIT
import UBX

extension UBXEpoch {
    /// The state of the RF front end, as reported by chips up to M8, which have one band.
    var hw: MonHW {
        let band = chip.bands[0]
        var hw = MonHW()
        hw.noise = noise(band)
        hw.gain = gain(band)
        hw.antenna = .ok
        hw.antennaPower = .on
        // Bit 0 means that the real-time clock is calibrated.
        hw.flags = .init(rawValue: 1 | jammingState.rawValue << 2)
        hw.continuousWave = continuousWave
        // Generation 6 reports more pins.
        if !chip.knows(NavPVT.id) { hw.virtualPins = [UInt8](repeating: 0, count: 25) }
        return hw
    }

    var rf: MonRF {
        var rf = MonRF()
        rf.blocks = chip.bands.map { band in
            var block = MonRF.Block()
            block.number = band.number
            block.flags = chip.reportsJammingInSecSIG ? 0 : jammingState.rawValue
            block.antenna = .ok
            block.antennaPower = .on
            block.noise = noise(band)
            block.gain = gain(band)
            block.continuousWave = continuousWave
            (block.offsetI, block.magnitudeI) = (26, 163)
            (block.offsetQ, block.magnitudeQ) = (23, 163)
            return block
        }
        return rf
    }

    var secSIG: SecSIG {
        var sig = SecSIG()
        sig.isJammingDetectorOn = true
        sig.jamming = jammingState
        sig.isSpoofingDetectorOn = true
        sig.spoofing = spoofingState
        sig.frequencies = Self.frequencies.map { kilohertz in
            var frequency = SecSIG.Frequency()
            frequency.word = kilohertz | (isJammed ? 1 << 24 : 0)
            return frequency
        }
        return sig
    }

    /// The centres of an F9P's bands in kilohertz: L1, B1, G1, L2, E5b, G2.
    private static let frequencies: [UInt32] = [
        1_575_420, 1_561_098, 1_602_000, 1_227_600, 1_207_140, 1_246_000,
    ]

    /// The decrease of every C/N0 caused by a jammer, in dB.
    private var jamming: Double { max(0, disturbances.jamming) }

    /// Whether interference of 3 dB or more is detected.
    private var isJammed: Bool { jamming >= 3 }

    /// The jamming state, as if the detector were switched on. (In the factory configuration of
    /// real chips, it is switched off.)
    var jammingState: UBXJammingState {
        guard isJammed else { return .none }
        return solution == nil ? .critical : .warning
    }

    /// The spoofing state. The fault `spoof` is not detected.
    var spoofingState: UBXSpoofingState { disturbances.isSpoofingReported ? .indicated : .none }

    /// The jamming indicator for continuous waves (`jamInd`), 0 to 255.
    private var continuousWave: UInt8 { UInt8(exactly: min(255, 7 + 6 * jamming).rounded()) ?? 0 }

    private func noise(_ band: UBXChip.Band) -> UInt16 {
        UInt16(exactly: (Double(band.noise) * (1 + jamming / 10)).rounded()) ?? .max
    }

    /// Returns the AGC value of a band, which is reduced by jamming and strong false signals.
    private func gain(_ band: UBXChip.Band) -> UInt16 {
        let fraction = disturbances.gain ?? max(0.1, 1 - jamming / 50)
        return UInt16(exactly: (Double(band.gain) * fraction).rounded()) ?? .max
    }
}
