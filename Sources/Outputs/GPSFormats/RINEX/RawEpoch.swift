// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// An `RXM-RAWX` that is read where it is, because a recording has millions of measurements.
struct RawEpoch: ~Escapable {
    private static let headSize = 16
    private static let size = 32

    private let payload: Span<UInt8>
    /// The number of measurements.
    let count: Int

    /// Returns `nil` for another message, and for one that is too short.
    @_lifetime(copy frame)
    init?(_ frame: borrowing UBXFrame) {
        payload = frame.payload
        guard frame.id == RxmRAWX.id, payload.count >= Self.headSize else { return nil }
        // Newer firmware uses the highest bit for another purpose.
        count = Int(payload[11] & 0x7F)
        guard payload.count >= Self.headSize + count * Self.size else { return nil }
    }

    /// The time of week in seconds, according to the receiver's clock.
    var timeOfWeek: Double { Double(bitPattern: load(0)) }
    /// The GPS week; 0 while it is not known.
    var week: Int { Int(load(8) as UInt16) }
    /// The difference between GPS time and UTC in seconds; `nil` while it is not known.
    var leapSeconds: Int? {
        RxmRAWX.Status(rawValue: payload[12]).hasLeapSeconds
            ? Int(Int8(bitPattern: payload[10])) : nil
    }
    var version: UInt8 { payload[13] }

    /// The whole seconds since 6 January 1980, and the rest in units of 0.1 µs; `nil` if the time is
    /// not known.
    var time: (seconds: Int, fraction: Int)? {
        let second = timeOfWeek
        guard week > 0, 0..<604_800 ~= second else { return nil }
        let units = Int((second * 1e7).rounded())
        let (seconds, fraction) = units.quotientAndRemainder(dividingBy: 10_000_000)
        return (week * 604_800 + seconds, fraction)
    }

    /// A satellite and one of its signals, as u-blox numbers them.
    struct Identity {
        fileprivate let bits: UInt32

        /// The constellation's number (`gnssId`).
        var gnssID: Int { Int(bits & 0xFF) }
        var svid: Int { Int(bits >> 8 & 0xFF) }
        /// The signal's number within the constellation.
        var signalID: Int { Int(bits >> 16 & 0xFF) }
        /// The GLONASS frequency channel plus 7.
        var frequencyID: Int { Int(bits >> 24) }
    }

    /// The values of a measurement; see `RxmRAWX.Measurement`.
    struct Measurement {
        let pseudorange: Double
        let carrierPhase: Double
        let doppler: Float
        let identity: Identity
        let lockTime: UInt16
        let cn0: UInt8
        let phaseDeviation: UInt8
        let tracking: RxmRAWX.Measurement.Tracking
    }

    @inline(__always)
    func identity(_ index: Int) -> Identity {
        Identity(bits: load(Self.headSize + index * Self.size + 20))
    }

    @inline(__always)
    subscript(index: Int) -> Measurement {
        let start = Self.headSize + index * Self.size
        let signal: UInt32 = load(start + 24)
        let state: UInt32 = load(start + 28)
        return Measurement(
            pseudorange: Double(bitPattern: load(start)),
            carrierPhase: Double(bitPattern: load(start + 8)),
            doppler: Float(bitPattern: load(start + 16)), identity: identity(index),
            lockTime: UInt16(truncatingIfNeeded: signal),
            cn0: UInt8(truncatingIfNeeded: signal >> 16),
            phaseDeviation: UInt8(truncatingIfNeeded: state),
            tracking: RxmRAWX.Measurement.Tracking(
                rawValue: UInt8(truncatingIfNeeded: state >> 16)))
    }

    /// Reads a number; the offset is checked.
    @inline(__always)
    private func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        Number(
            littleEndian: unsafe payload.bytes.unsafeLoadUnaligned(
                fromByteOffset: offset, as: Number.self))
    }
}

/// A signal of a satellite as RINEX names it.
struct RINEXSignal {
    /// The index of the constellation, and of the signal within it, in the order of RINEX files.
    let system: Int
    let signal: Int
    let svid: Int
}

/// Finds the names of signals.
struct RINEXSignalTable: Sendable {
    static let shared = RINEXSignalTable()

    /// For each constellation's `gnssID` and u-blox's number of the signal: the indices of a
    /// `RINEXSignal`; 255 if RINEX has no name for it.
    private var indices = [(system: UInt8, signal: UInt8)](repeating: (255, 255), count: 128)
    /// For each constellation's `gnssID` and number: whether there can be such a satellite.
    private var isSatellite = [Bool](repeating: false, count: 8 << 8)

    private init() {
        for (system, (constellation, signals)) in RINEXSignalSet.all.enumerated() {
            for svid in 0..<256 where SatelliteID(constellation, svid) != nil {
                isSatellite[constellation.gnssID << 8 | svid] = true
            }
            for (signal, (_, ids)) in signals.enumerated() {
                for id in ids {
                    indices[constellation.gnssID << 4 | Int(id)] = (UInt8(system), UInt8(signal))
                }
            }
        }
    }

    /// Returns the signal of a measurement; `nil` if RINEX has no name for it.
    @inline(__always)
    func signal(_ identity: RawEpoch.Identity, version: UInt8) -> RINEXSignal? {
        // Before version 1, the number of the signal is not used: all signals are on L1.
        let id = version == 0 ? 0 : identity.signalID
        guard identity.gnssID < 8, id < 16 else { return nil }
        let index = indices[identity.gnssID << 4 | id]
        guard index.system != 255, isSatellite[identity.gnssID << 8 | identity.svid] else {
            return nil
        }
        return RINEXSignal(
            system: Int(index.system), signal: Int(index.signal), svid: identity.svid)
    }
}
