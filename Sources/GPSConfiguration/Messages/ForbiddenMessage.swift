// SPDX-License-Identifier: MIT
import UBX

/// Messages that are never sent, even on request, because they lock a chip, permanently program its
/// memory, change its firmware or erase its log.
enum ForbiddenMessage {
    /// Returns the reason for not sending a message; `nil` if it may be sent.
    static func reason(_ bytes: [UInt8]) -> String? {
        guard let (id, payload) = bytes.ubxMessage else { return nil }
        switch (id.messageClass, id.number) {
        case (0x09, 0x14): return nil
        case (0x09, _): return "\(id) changes the firmware"
        case (0x06, 0x41): return "\(id) (CFG-OTP) burns memory that cannot be erased"
        case (0x21, 0x03): return "\(id) (LOG-ERASE) erases the receiver's log"
        default: break
        }
        if id == CfgVALSET.id, let items = CfgVALSET(payload: payload.span)?.items,
            let key = items.map(\.key).first(where: \.isForbidden)
        {
            return "\(key.name) locks the configuration, in flash permanently"
        }
        return nil
    }
}
