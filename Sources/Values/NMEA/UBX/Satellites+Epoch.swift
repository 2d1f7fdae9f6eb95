// SPDX-License-Identifier: MIT
import GNSS
import UBX

// The elements of a list are read one by one, because an array would need an allocation.

extension NavSAT: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 12) else { return false }
        assembler.beginSatellites(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var satellite = Satellite()
            reader.read(&satellite)
            guard let id = satellite.satellite else { continue }
            assembler.sky.add(
                id, elevation: satellite.elevation, azimuth: satellite.azimuth,
                cn0: satellite.cn0, isUsed: satellite.flags.isUsed)
            if satellite.flags.isUsed { assembler.sky.note(satellite.flags.correctionSource) }
        }
        assembler.endSatellites(of: id)
        return true
    }
}

extension NavSAT.Satellite.Flags {
    fileprivate var correctionSource: CorrectionSource? {
        if usesRTCM { return .rtcm }
        if usesSPARTN { return .spartn }
        if usesCLAS { return .clas }
        if usesHAS { return .has }
        if usesSLAS { return .slas }
        return usesSBAS ? .sbas : nil
    }
}

extension NavSVINFO: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 12) else { return false }
        assembler.beginSatellites(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var satellite = Satellite()
            reader.read(&satellite)
            guard let id = satellite.satellite else { continue }
            assembler.sky.add(
                id, elevation: satellite.elevation, azimuth: satellite.azimuth,
                cn0: satellite.cn0, isUsed: satellite.flags.isUsed)
        }
        assembler.endSatellites(of: id)
        return true
    }
}

extension NavSIG: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        var reader = UBXReader(leavingOutListOf: frame.payload)
        var message = Self()
        reader.read(&message)
        guard reader.canReadList(of: 16) else { return false }
        assembler.sky.beginSignals(at: message.timeOfWeekMilliseconds)
        for _ in 0..<reader.listCount {
            var signal = Signal()
            reader.read(&signal)
            guard let id = signal.satellite else { continue }
            let number = id.constellation.nmeaSignal(ofUBX: signal.signalID) ?? 0
            assembler.sky.add(
                id, signal: number, cn0: signal.cn0 == 0 ? nil : Double(signal.cn0),
                isUsed: signal.flags.usesRange)
            if signal.flags.usesRange {
                assembler.sky.note(CorrectionSource(ubx: signal.correctionSource))
            }
        }
        assembler.endSignals(of: id)
        return true
    }
}

extension CorrectionSource {
    /// Creates the correction source for its number in NAV-SIG. Returns `nil` for 0 (none) and for
    /// an unknown number.
    fileprivate init?(ubx number: UInt8) {
        switch number {
        case 1: self = .sbas
        case 2: self = .beiDou
        case 3...5: self = .rtcm
        case 6: self = .slas
        case 7: self = .spartn
        case 8, 9: self = .clas
        case 12: self = .has
        default: return nil
        }
    }
}
