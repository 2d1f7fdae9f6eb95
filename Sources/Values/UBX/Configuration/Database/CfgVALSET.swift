// SPDX-License-Identifier: MIT

/// Sets configuration values, for M9, F9, M10 and later chips: `CFG-VALSET`. The chip sets either
/// all values or none.
public struct CfgVALSET: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8A)

    /// The maximum number of values in a message.
    public static let maximumItems = 64

    /// The version: 0 without a transaction, 1 with one.
    public var version: UInt8 = 0
    /// The layers to set.
    public var layers = ConfigurationLayers.ram
    /// The step of a transaction. It has no meaning in version 0.
    public var transaction = ConfigurationTransaction.none
    /// The keys, each followed by its value, encoded as in the message; see `items`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a message without a transaction.
    public init(_ items: [ConfigurationItem], layers: ConfigurationLayers = .ram) {
        self.layers = layers
        data = items.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layers)
        coder.value(&transaction)
        coder.reserved(1)
        coder.rest(&data)
    }

    /// The values; `nil` if the data is malformed.
    public var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}
