// SPDX-License-Identifier: MIT
import GNSS

/// A payload, or a repeated part of one, that declares its fields once, in wire order, for both
/// reading and writing.
public protocol UBXBlock: Hashable, Sendable {
    /// Creates a block with default values: usually zero, or `nil` for a field that can be unknown.
    init()

    /// Passes each field to the coder, in wire order.
    mutating func fields(_ coder: inout some UBXCoder)

    /// Reads the fields by calling `fields(_:)`. As this function is a requirement of the protocol,
    /// the compiler specialises it for each type, which makes reading ten times as fast.
    mutating func read(_ reader: inout UBXReader)
}

extension UBXBlock {
    /// Reads the fields by calling `fields(_:)`.
    public mutating func read(_ reader: inout UBXReader) { fields(&reader) }
}

/// A type of UBX message.
///
/// You can define your own message type in ten lines:
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
    static var id: UBXMessageID { get }
}

extension UBXMessage {
    /// Reads a payload. Returns `nil` if it is too short or its version is unknown.
    ///
    /// Bytes after the last known field are ignored, because newer firmware appends fields.
    public init?(payload: Span<UInt8>) {
        var reader = UBXReader(payload)
        self.init()
        read(&reader)
        guard !reader.isMalformed else { return nil }
    }

    /// Reads the payload of a frame. Returns `nil` if the frame is malformed or of another type.
    public init?(_ frame: borrowing UBXFrame) {
        guard frame.id == Self.id else { return nil }
        self.init(payload: frame.payload)
    }

    /// The encoded payload.
    public var payload: [UInt8] {
        var writer = UBXWriter()
        var message = self
        message.fields(&writer)
        return writer.bytes
    }

    /// The complete frame: sync characters, class, id, length, payload and checksum.
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

    /// The name of the message, such as `NAV-PVT`; `nil` if there is no Swift type for it.
    public var name: String? {
        if messageClass == 4, let level = UBXNotice.Level(rawValue: number) {
            return "INF-\(level.name)"
        }
        // `NavPVT` is the type of `NAV-PVT`.
        return knownUBXMessages.first { $0.id == self }.map { type in
            let name = "\(type)"
            return name.prefix(3).uppercased() + "-" + name.dropFirst(3)
        }
    }

    /// The class and id as two hexadecimal numbers, such as `01-07`.
    public var description: String {
        String(hexadecimal: UInt64(messageClass), width: 2, isUppercase: true) + "-"
            + String(hexadecimal: UInt64(number), width: 2, isUppercase: true)
    }
}

/// A line of text from the receiver: `INF-ERROR`, `INF-WARNING`, `INF-NOTICE`, `INF-TEST` or
/// `INF-DEBUG`.
///
/// All five messages have the same format, so one type represents them.
package struct UBXNotice: Hashable, Sendable {
    package enum Level: UInt8, Sendable {
        case error = 0
        case warning = 1
        /// A notice, for example at the receiver's start.
        case notice = 2
        /// A test output.
        case test = 3
        /// A detail for debugging.
        case debug = 4

        /// The name in u-blox's manuals, after `INF-`.
        var name: String {
            switch self {
            case .error: "ERROR"
            case .warning: "WARNING"
            case .notice: "NOTICE"
            case .test: "TEST"
            case .debug: "DEBUG"
            }
        }
    }

    package var level: Level
    /// The text. Non-ASCII bytes become `?`.
    package var text: String

    /// The text of the notice that simulated receivers send in each epoch.
    package static let simulated = "SIMULATED"

    package init(level: Level, text: String) {
        self.level = level
        self.text = text
    }

    /// Reads a frame. Returns `nil` if the frame is not one of the five `INF` messages.
    package init?(_ frame: borrowing UBXFrame) {
        guard frame.id.messageClass == 4, let level = Level(rawValue: frame.id.number) else {
            return nil
        }
        self.level = level
        let bytes = frame.payload
        text = String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var count = 0
            for index in bytes.indices where bytes[index] != 0 {
                buffer[count] = bytes[index] < 0x80 ? bytes[index] : UInt8(ascii: "?")
                count += 1
            }
            return count
        }
    }

    package var frame: [UInt8] {
        UBXFrame.bytes(UBXMessageID(4, level.rawValue), payload: Array(text.utf8))
    }
}

/// The message types that have a Swift type. Any other message is delivered only as a `UBXFrame`,
/// with its class, id and payload.
public let knownUBXMessages: [any UBXMessage.Type] = [
    NavPVT.self, NavPVAT.self, NavHPPOSLLH.self, NavRELPOSNED.self, NavSVIN.self, NavSOL.self,
    NavPOSLLH.self, NavVELNED.self, NavDOP.self, NavCOV.self, NavEELL.self, NavPL.self,
    NavATT.self,
    NavSTATUS.self, NavSAT.self, NavSIG.self, NavSVINFO.self, NavCLOCK.self, NavTIMEUTC.self,
    NavTIMEGPS.self, NavTIMEGAL.self, NavTIMELS.self, NavEOE.self, NavPOSECEF.self,
    NavHPPOSECEF.self, NavVELECEF.self, MonVER.self, MonRF.self, MonHW.self,
    MonCOMMS.self, MonSYS.self, MonTXBUF.self, MonSPAN.self, SecSIG.self, SecSIGLOG.self,
    SecUNIQID.self,
    SecOSNMA.self, TimTP.self, TimTM2.self, RxmRTCM.self, RxmCOR.self, RxmRAWX.self, RxmSFRBX.self,
    AckACK.self,
    AckNAK.self, MgaACK.self, MgaDBD.self, MgaINI.self, UpdSOS.self, CfgVALSET.self,
    CfgVALGET.self, CfgVALDEL.self, CfgPRT.self, CfgMSG.self, CfgRATE.self, CfgNAV5.self,
    CfgNAVX5.self, CfgGNSS.self, CfgNMEA.self, CfgSBAS.self, CfgITFM.self, CfgCFG.self,
    CfgRST.self, MonGNSS.self,
]
