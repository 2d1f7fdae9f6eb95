// SPDX-License-Identifier: MIT
import GNSS

/// Measurements from any number of transducers.
///
///     $--XDR,a,x.x,a,c--c,…*hh
///     $IIXDR,C,19.5,C,AIR,P,1.01325,B,BARO,A,-2.4,D,ROLL*3C
public struct XDR: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "XDR"
    /// The fields of one transducer are required.
    public static let minimumFieldCount = 4

    /// One measurement from a transducer.
    public struct Transducer: Hashable, Sendable {
        /// The type of the transducer: `A` angle, `C` temperature, `D` distance, `F` frequency, `G`
        /// generic, `H` humidity, `I` current, `L` salinity, `N` force, `P` pressure, `R` flow, `S`
        /// switch, `T` revolutions, `U` voltage, `V` volume.
        public var kind: UInt8?
        /// The measured value in `unit`.
        public var value: Double?
        /// The unit: `D` degrees, `C` Celsius, `M` metres or cubic metres, `H` hertz, `P` per cent
        /// or pascal, `A` ampere, `S` parts per thousand, `N` newton, `B` bar, `l` litres per
        /// second, `R` revolutions per minute, `V` volt.
        public var unit: UInt8?
        /// The name of the transducer.
        public var name: String?

        /// Creates a measurement. Omit arguments whose values are unknown.
        public init(
            kind: UInt8? = nil, value: Double? = nil, unit: UInt8? = nil, name: String? = nil
        ) {
            self.kind = kind
            self.value = value
            self.unit = unit
            self.name = name
        }

        fileprivate mutating func fields(_ coder: inout some FieldCoder) {
            coder.letter(&kind)
            coder.decimal(&value)
            coder.letter(&unit)
            coder.text(&name)
        }
    }

    /// The measurements, in the order of the sentence.
    public var transducers: [Transducer] = []

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        transducers = Array(repeating: Transducer(), count: fields.count / 4)
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        for index in transducers.indices { transducers[index].fields(&coder) }
    }

    /// Sets pitch and roll in degrees. The transducers are recognised by the names that autopilots
    /// and gpsd use.
    public func contribute(to epoch: inout Epoch) {
        let (pitch, roll) = (angle("PTCH") ?? angle("PITCH"), angle("ROLL"))
        // Some transducers send values in a unit other than the stated one.
        guard abs(pitch ?? 0) <= 90, abs(roll ?? 0) <= 180 else { return }
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }

    private func angle(_ name: String) -> Double? {
        transducers.first {
            $0.name?.trimmed == name && $0.kind == UInt8(ascii: "A") && $0.unit == UInt8(ascii: "D")
        }?.value
    }
}
