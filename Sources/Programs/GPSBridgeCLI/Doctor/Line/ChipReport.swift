// SPDX-License-Identifier: MIT
import GNSS
package import UBX

/// The state of a u-blox chip, as reported in messages that it sends without being asked.
package struct ChipReport: Sendable {
    /// The firmware and hardware version; `nil` unless another program has requested it.
    package private(set) var version: MonVER?
    /// The state of the antenna; `nil` if it is not reported.
    package private(set) var antenna: UBXAntennaState?
    /// The worst jamming state that was reported; `nil` if none was reported.
    package private(set) var jamming: UBXJammingState?
    /// The worst spoofing state that was reported; `nil` if none was reported.
    package private(set) var spoofing: UBXSpoofingState?
    /// Whether the chip reported that it had more data to send than its line can carry.
    package private(set) var hasOverrun = false
    /// The number of messages by name, such as `NAV-PVT`.
    package private(set) var messages: [String: Int] = [:]

    /// Whether the chip sends UBX messages, but not those that contain a position and its validity:
    /// NAV-PVT, NAV-PVAT, NAV-SOL or NAV-HPPOSLLH, or both NAV-POSLLH and NAV-STATUS.
    var lacksSolution: Bool {
        func has(_ id: UBXMessageID) -> Bool { id.name.map { messages[$0] != nil } ?? false }
        return !messages.isEmpty
            && ![NavPVT.id, NavPVAT.id, NavSOL.id, NavHPPOSLLH.id].contains(where: has)
            && !(has(NavPOSLLH.id) && has(NavSTATUS.id))
    }

    mutating func receive(_ frame: UBXFrame) {
        let name = frame.id.name ?? frame.id.description
        if messages.count < 64 || messages[name] != nil { messages[name, default: 0] += 1 }
        switch frame.id {
        case MonVER.id:
            if let message = MonVER(frame), !message.software.isEmpty { version = message }
        case MonHW.id:
            guard let message = MonHW(frame) else { break }
            antenna = message.antenna
            note(message.flags.jamming)
        case MonRF.id:
            for block in MonRF(frame)?.blocks ?? [] {
                note(block.jamming)
                if block.antenna != .unknown { antenna = block.antenna }
            }
        case SecSIG.id:
            guard let message = SecSIG(frame) else { break }
            note(message.jamming)
            note(message.spoofing)
        case NavSTATUS.id: NavSTATUS(frame).map { note($0.detection.spoofing) }
        case MonCOMMS.id:
            if MonCOMMS(frame)?.errors.isBufferFull == true { hasOverrun = true }
        case MonTXBUF.id:
            if MonTXBUF(frame)?.errors.isBufferFull == true { hasOverrun = true }
        default: UBXNotice(frame).map { receive(text: $0.text) }
        }
    }

    /// Processes a text of the chip, in a TXT sentence or a notice. Some firmware reports only in
    /// this way that its output buffer is full.
    mutating func receive(text: String) {
        if text.contains("txbuf alloc") { hasOverrun = true }
    }

    private mutating func note(_ state: UBXJammingState) {
        if state.rawValue > jamming?.rawValue ?? 0 { jamming = state }
    }

    private mutating func note(_ state: UBXSpoofingState) {
        if state.rawValue > spoofing?.rawValue ?? 0 { spoofing = state }
    }

    /// The findings about the chip, its antenna, interference and overload of its line.
    var findings: [Finding] {
        [identity, antennaFinding, interference, falseSignals, overrun].compactMap(\.self)
    }

    private var identity: Finding? {
        guard let version else { return nil }
        let module = version.module ?? "u-blox"
        let number = version.protocolVersion.map { ", protocol \(String($0, decimals: 2))" } ?? ""
        return .ok("The chip is a \(module) with firmware \(version.firmware)\(number).")
    }

    private var antennaFinding: Finding? {
        guard antenna == .open || antenna == .short else { return nil }
        let state = antenna == .open ? "not connected" : "short-circuited"
        return .note(
            "The receiver reports that its antenna is \(state).",
            remedy: "check the antenna's plug and cable")
    }

    private var interference: Finding? {
        guard jamming == .warning || jamming == .critical else { return nil }
        let effect = jamming == .critical ? ", and has lost its fix" : ""
        return .note(
            "The receiver reports interference\(effect).",
            remedy: "move it away from other electronics and transmitters")
    }

    private var falseSignals: Finding? {
        guard spoofing == .indicated || spoofing == .affirmed else { return nil }
        return .note(
            "The receiver reports that its signals may be false (spoofing).",
            remedy: "do not rely on its position or its time")
    }

    private var overrun: Finding? {
        guard hasOverrun else { return nil }
        return .note(
            "The receiver drops messages: it sends more than its serial line can carry.",
            remedy: "set a higher baud rate, or disable some messages")
    }
}
