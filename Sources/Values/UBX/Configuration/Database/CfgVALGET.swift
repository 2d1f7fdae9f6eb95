// SPDX-License-Identifier: MIT

/// A request for configuration values, or the answer to it, for M9, F9, M10 and later chips:
/// `CFG-VALGET`.
public struct CfgVALGET: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x8B)

    /// The maximum number of keys in a request, or of values in an answer.
    public static let maximumItems = 64

    /// The version: 0 for a request, 1 for an answer.
    public var version: UInt8 = 0
    /// The layer to read.
    public var layer = ConfigurationLayer.ram
    /// The number of values to skip, if a request matches more values than fit into one answer.
    public var position: UInt16 = 0
    /// The keys of a request, or the keys and values of an answer, encoded as in the message; see
    /// `keys` and `items`.
    public var data: [UInt8] = []

    public init() {}

    /// Creates a request.
    public init(
        _ keys: [ConfigurationKey], layer: ConfigurationLayer = .ram, position: UInt16 = 0
    ) {
        self.layer = layer
        self.position = position
        data = keys.flatMap(\.bytes)
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&layer)
        coder.integer(&position)
        coder.rest(&data)
    }

    /// The keys of a request; `nil` if the data is malformed.
    public var keys: [ConfigurationKey]? { ConfigurationKey.keys(of: data) }

    /// The values of an answer; `nil` if the data is malformed.
    public var items: [ConfigurationItem]? { ConfigurationItem.items(of: data) }
}
