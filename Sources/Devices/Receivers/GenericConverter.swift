// SPDX-License-Identifier: MIT

/// USB ids of a converter that may carry anything, a receiver too.
public struct GenericConverter: Hashable, Sendable {
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product ids.
    public let products: ClosedRange<UInt16>
    /// Maker and model.
    public let name: String

    init(_ vendor: UInt16, _ product: UInt16, _ name: String) {
        self.init(vendor, product...product, name)
    }

    init(_ vendor: UInt16, _ products: ClosedRange<UInt16>, _ name: String) {
        self.vendor = vendor
        self.products = products
        self.name = name
    }
}
