// SPDX-License-Identifier: MIT

/// Deletes configuration values from the battery-backed memory or flash, for M9, F9, M10 and later
/// chips: `CFG-VALDEL`.
public struct CfgVALDEL: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8C)

    /// The version: 0 without a transaction, 1 with one.
    public var version: UInt8 = 0
    /// The layers to delete from.
    public var layers = ConfigurationLayers.battery
    /// The step of a transaction. It has no meaning in version 0.
    public var transaction = ConfigurationTransaction.none
    /// The keys to delete, encoded as in the message; see `keys`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a message without a transaction.
    public init(_ keys: [ConfigurationKey], layers: ConfigurationLayers) {
        self.layers = layers
        data = keys.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The decoded keys; `nil` if the data is malformed.
    public var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }
}
