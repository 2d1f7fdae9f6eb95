// SPDX-License-Identifier: MIT

/// A part of a payload whose fields are declared once, in wire order, for reading and for writing.
public protocol UBXBlock: Hashable, Sendable {
    /// Creates a block with all fields zero, or `nil` if a field can be unknown.
    init()

    /// Passes each field to the coder, in wire order.
    mutating func fields(_ coder: inout some UBXCoder)

    /// Reads the fields. Implemented by `fields(_:)`; as a requirement, it is compiled for each type,
    /// which is ten times as fast.
    mutating func read(_ reader: inout UBXReader)
}

extension UBXBlock {
    /// Reads the fields by `fields(_:)`.
    public mutating func read(_ reader: inout UBXReader) { fields(&reader) }
}

/// A type of UBX message.
///
/// A message of your own is ten lines in your own code:
///
/// ```swift
/// /// Position in Earth-centred coordinates: `NAV-POSECEF`
/// struct NavPOSECEF: UBXMessage {
///     static let id = UBXMessageID(0x01, 0x01)
///     var timeOfWeekMilliseconds: UInt32 = 0
///     var (x, y, z) = (0.0, 0.0, 0.0)
///     mutating func fields(_ coder: inout some UBXCoder) {
///         coder.integer(&timeOfWeekMilliseconds)
///         coder.scaled(&x, Int32.self, per: 100)
///         coder.scaled(&y, Int32.self, per: 100)
///         coder.scaled(&z, Int32.self, per: 100)
///     }
/// }
/// ```
public protocol UBXMessage: UBXBlock, SendableMetatype {
    /// Its class and id.
    static var id: UBXMessageID { get }
}

extension UBXMessage {
    /// Reads a payload; `nil` if it is too short, or has a version that is not known.
    ///
    /// Bytes that follow the last known field are ignored: newer firmware appends fields.
    public init?(payload: Span<UInt8>) {
        var reader = UBXReader(payload)
        self.init()
        read(&reader)
        guard !reader.isMalformed else { return nil }
    }

    /// Reads a frame's payload; `nil` if the frame is of another type, or malformed.
    public init?(_ frame: borrowing UBXFrame) {
        guard frame.id == Self.id else { return nil }
        self.init(payload: frame.payload)
    }

    /// The payload, in wire order.
    public var payload: [UInt8] {
        var writer = UBXWriter()
        var message = self
        message.fields(&writer)
        return writer.bytes
    }

    /// The whole frame: sync characters, class, id, length, payload and checksum.
    public var frame: [UInt8] { UBXFrame.bytes(Self.id, payload: payload) }
}

/// The class and id of a message, which together select its type.
public struct UBXMessageID: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The class: `0x01` for navigation, `0x0A` for monitoring…
    public let messageClass: UInt8
    /// The id within the class.
    public let number: UInt8

    /// Creates an id.
    public init(_ messageClass: UInt8, _ number: UInt8) {
        self.messageClass = messageClass
        self.number = number
    }

    /// The name of the message, such as `NAV-PVT`; `nil` if it has no type here.
    public var name: String? {
        if messageClass == 4, let level = UBXNotice.Level(rawValue: number) {
            return "INF-\("\(level)".uppercased())"
        }
        guard let type = knownUBXMessages.first(where: { $0.id == self }) else { return nil }
        let name = "\(type)"
        return "\(name.prefix(3).uppercased())-\(name.dropFirst(3))"
    }

    /// Two hexadecimal numbers, such as `01-07`.
    public var description: String {
        func hexadecimal(_ byte: UInt8) -> String {
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "\(hexadecimal(messageClass))-\(hexadecimal(number))"
    }
}
