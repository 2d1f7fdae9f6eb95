// SPDX-License-Identifier: MIT
import UBX

/// Messages that are never sent, even on request, because they lock a chip, permanently program its
/// memory, change its firmware or erase its log.
enum ForbiddenMessage {
    /// Returns the reason for not sending bytes; `nil` if they may be sent.
    static func reason(_ bytes: [UInt8]) -> String? {
        // The bytes may contain several frames, or begin with other data.
        for start in bytes.indices where bytes[start] == 0xB5 {
            guard case .frame(let count) = UBXFrame.recognise(bytes.span, at: start),
                let (id, payload) = Array(bytes[start..<start + count]).ubxMessage,
                let reason = Self.reason(id, payload)
            else { continue }
            return reason
        }
        return nil
    }

    private static func reason(_ id: UBXMessageID, _ payload: [UInt8]) -> String? {
        switch (id.messageClass, id.number) {
        case (0x09, 0x14): return nil
        case (0x09, _): return "\(id) changes the firmware"
        case (0x06, 0x41):
            return "\(id) (CFG-OTP) writes one-time programmable memory, which can never be erased"
        case (0x21, 0x03): return "\(id) (LOG-ERASE) erases the receiver's log"
        default: break
        }
        guard id == CfgVALSET.id, let message = CfgVALSET(payload: payload.span) else { return nil }
        guard let items = message.items else {
            return "\(id) (CFG-VALSET) is malformed, so its keys cannot be checked"
        }
        return items.map(\.key).first(where: \.isForbidden).map {
            "\($0.name) locks the configuration, in flash permanently"
        }
    }
}
