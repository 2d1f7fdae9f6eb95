// SPDX-License-Identifier: MIT
import GNSS

/// Rotational speed of an engine or a shaft.
///
///     $--RPM,a,x,x.x,x.x,A*hh
///     $IIRPM,E,1,2418.2,10.5,A*5F
public struct RPM: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "RPM"
    /// All fields up to the speed are required.
    public static let minimumFieldCount = 3

    /// The rotating part: `S` shaft, `E` engine.
    public var origin: UInt8?
    /// The number of the engine or shaft: 0 for one in the middle or a single one, odd to
    /// starboard, even to port.
    public var number: Int?
    /// The rotational speed in revolutions per minute.
    public var rate: Double?
    /// The propeller pitch in per cent of the maximum; negative astern.
    public var pitch: Double?
    /// The status: `A` valid, `V` not valid.
    public var status: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&origin)
        coder.integer(&number)
        coder.decimal(&rate)
        coder.decimal(&pitch)
        coder.letter(&status)
    }

    /// Sets the speed of the single or first starboard engine (number 0, 1 or missing), or of the
    /// first port engine (2), or removes it if it is invalid. Shafts are ignored.
    public func contribute(to epoch: inout Epoch) {
        guard origin == UInt8(ascii: "E") else { return }
        let isValid = status != UInt8(ascii: "V")
        if number == 2 {
            epoch.fill(.portEngineSpeed, rate, isValid: isValid)
        } else if number == nil || number == 0 || number == 1 {
            epoch.fill(.engineSpeed, rate, isValid: isValid)
        }
    }
}
