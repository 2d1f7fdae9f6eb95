// SPDX-License-Identifier: MIT
import GNSS

/// Water temperature.
///
///     $--MTW,x.x,C*hh
///     $IIMTW,17.5,C*10
public struct MTW: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "MTW"

    /// The water temperature in degrees Celsius.
    public var temperature: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&temperature, unit: "C")
    }

    /// Sets the water temperature.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.waterTemperature, temperature)
    }
}
