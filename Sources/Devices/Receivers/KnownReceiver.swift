// SPDX-License-Identifier: MIT

/// A USB id that nothing but a receiver has.
public struct KnownReceiver: Hashable, Sendable {
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// Maker and model or chip.
    public let name: String
    /// Whether it speaks NMEA by itself.
    public let speaksNMEA: Bool

    init(_ vendor: UInt16, _ product: UInt16, _ name: String, speaksNMEA: Bool = true) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.speaksNMEA = speaksNMEA
    }
}
