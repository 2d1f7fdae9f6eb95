// SPDX-License-Identifier: MIT

/// Values to set, from M9, F9 and M10 on: `CFG-VALSET`. The chip sets all of them, or none.
public struct CfgVALSET: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8A)

    /// The most values of a message.
    public static let maximumItems = 64

    /// The version: 0 without a transaction, 1 with one.
    public var version: UInt8 = 0
    /// The layers to set.
    public var layers = ConfigurationLayers.ram
    /// The step of a transaction; without a meaning in version 0.
    public var transaction = ConfigurationTransaction.none
    /// Keys, each followed by its value.
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
