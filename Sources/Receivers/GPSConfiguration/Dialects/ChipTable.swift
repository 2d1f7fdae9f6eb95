// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The commands of a family of chips that are not from u-blox. A setting that is not listed has no
/// command that gpsbridge knows.
package struct ChipTable: Sendable {
    /// The command that saves the settings in flash, and what the user is told.
    struct Saving: Sendable {
        var command: ChipCommand
        var explanation = "saved in flash, permanently"
        /// The explanation, and advice if saving fails, at more than one fix per second.
        var atHighRate: (explanation: String, remedy: String)?
    }

    /// A request that the chip answers regardless of its settings.
    let probe: ChipCommand
    /// The settings in the order in which they are changed. Those that cannot be undone, because
    /// the chip does not report them, are last.
    package let settings: [ChipSetting]
    /// Returns the name and the baud rate of a port that a message reports.
    var port: (@Sendable (ReceivedMessage) -> (name: String, baudRate: Int?)?)?
    /// Whether the connected port is assumed to be the first one if none has the line's baud rate.
    var usesFirstPort = true
    package var restarts: [ConfigurationRequest.Restart: ChipCommand] = [:]
    /// The commands that restore the factory settings.
    package var resets: [ChipCommand] = []
    /// The time after a restart during which the chip answers nothing.
    var startTime = Duration.seconds(1)
    /// Why a restart or a reset is not possible.
    var restartRefusal: String?
    var saving: Saving?
    /// Why the settings cannot be saved, and advice.
    var savingRefusal: (reason: String, remedy: String)?
    /// Why the baud rate cannot be set.
    var baudRateRefusal: String?
    /// Why the chip has no command for the input of RTCM 3, and advice.
    var rtcmInputRefusal: (reason: String, remedy: String)?
    /// Advice if the chip confirms a rate without applying it.
    var rateRemedy: String?

    /// The command that saves the settings; `nil` if there is none.
    package var saveCommand: ChipCommand? { saving?.command }
}

extension ChipTable {
    private static let restart = Duration.milliseconds(500)
    private static let combination = "it cannot receive this combination"

    /// MediaTek's MT33xx: `PMTK` sentences. `PMTK001` acknowledges most of them.
    package static let mediaTek = ChipTable(
        probe: "$PMTK605",
        settings: [
            ChipSetting(.baudRate, "$PMTK251,%"),
            ChipSetting(
                .intervals(
                    ["GLL", "RMC", "VTG", "GGA", "GSA", "GSV", "GRS", "GST"]
                        + Array(repeating: "", count: 9) + ["ZDA", ""], unused: "0", limit: 5),
                "$PMTK314,%", read: "$PMTK414", reply: "$PMTK514,%"),
            ChipSetting(
                .period(100...10_000), "$PMTK220,%",
                refusal: "more than one fix per second needs more than 9600 baud"),
            // With PMTK220 alone, some firmware only repeats each position more often.
            ChipSetting(
                .calculationPeriod(100...10_000), "$PMTK300,%,0,0,0,0", read: "$PMTK400",
                reply: "$PMTK500,%,0,0,0.0,0.0", isOptional: true),
            ChipSetting(
                // The fourth flag is for Galileo's full constellation.
                .flags([.gps, .glonass, .galileo, .galileo, .beiDou]), "$PMTK353,%",
                refusal: combination, settling: restart),
        ],
        restarts: [.hot: "$PMTK101", .warm: "$PMTK102", .cold: "$PMTK103"], resets: ["$PMTK104"],
        savingRefusal: (
            "has no command to save: it keeps settings as long as its backup battery lasts",
            "repeat the `gpsbridge configure` command when they are lost"
        ))

    /// Airoha's AG33xx: `PAIR` sentences, acknowledged by `PAIR001`. `PAIR003` is never sent,
    /// because it switches the receiver off.
    package static let airoha = ChipTable(
        probe: "$PAIR020",
        settings: [
            ChipSetting(
                .interval(
                    ["GGA", "GLL", "GSA", "GSV", "RMC", "VTG", "ZDA", "GRS", "GST"], limit: 20),
                "$PAIR062,%"),
            ChipSetting(.period(100...1000), "$PAIR050,%", read: "$PAIR051", reply: "$PAIR051,%"),
            ChipSetting(
                .flags([.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]), "$PAIR066,%",
                refusal: combination, settling: restart),
        ],
        restarts: [.hot: "$PAIR004", .warm: "$PAIR005", .cold: "$PAIR006"], resets: ["$PAIR007"],
        // At more than one fix per second, Airoha specifies the command only for a receiver that
        // PAIR003 has switched off. It would stay off if the program ended then.
        saving: Saving(
            command: "$PAIR513",
            atHighRate: (
                "saved in flash; some firmware saves only at 1 fix per second: check the settings "
                    + "after the next power-on",
                "some firmware saves only at 1 fix per second: save with --rate 1, and set the "
                    + "rate after each start"
            )),
        baudRateRefusal: "this chip applies a baud rate only after a restart")

    /// Quectel's modules with `PQTM` sentences, such as LG290P.
    package static let quectel = ChipTable(
        probe: "$PQTMVERNO",
        settings: [
            ChipSetting(
                .baudRate, "$PQTMCFGUART,W,%", read: "$PQTMCFGUART,R",
                reply: "$PQTMCFGUART,OK,1,%,8,0,1,0"),
            ChipSetting(
                .flags([.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]), "$PQTMCFGCNST,W,%",
                read: "$PQTMCFGCNST,R", reply: "$PQTMCFGCNST,OK,%", settling: restart),
            ChipSetting(
                .elevation(".0"), "$PQTMCFGELETHD,W,%", read: "$PQTMCFGELETHD,R",
                reply: "$PQTMCFGELETHD,OK,%"),
            ChipSetting(
                .period(50...1000), "$PQTMCFGFIXRATE,W,%", read: "$PQTMCFGFIXRATE,R",
                reply: "$PQTMCFGFIXRATE,OK,%"),
            // The first number is the kind of port, UART.
            ChipSetting(
                .protocols, "$PQTMCFGPROT,W,1,#,%", read: "$PQTMCFGPROT,R,1,#",
                reply: "$PQTMCFGPROT,OK,%"),
        ],
        port: { message in
            guard case .line(let line) = message,
                let fields = line.fields(after: "$PQTMCFGUART,OK,"), fields.count > 1
            else { return nil }
            return ("UART\(fields[0])", Int(fields[1]))
        },
        restarts: [.hot: "$PQTMSRR"], resets: ["$PQTMRESTOREPAR", "$PQTMSRR"],
        // After a restart, the module sends nothing for seconds and has only the saved settings.
        startTime: .seconds(3), restartRefusal: "gpsbridge knows no command for it",
        saving: Saving(command: "$PQTMSAVEPAR"),
        // LG290P03AANR02A01S reports a new rate without applying it.
        rateRemedy:
            "some firmware applies a rate only after it was saved and the module was restarted: use --send "
            + "FILE with PQTMCFGFIXRATE, PQTMSAVEPAR and PQTMSRR")

    /// Zhongke's CASIC chips: binary messages for rates, and `PCAS` sentences for everything else.
    /// V5 (AT6558) and V6 (AT9880) differ in their answers.
    package static let casic = ChipTable(
        probe: .frame(CASICFrame.rate),
        settings: [
            // Sets the current port to 8N1, and keeps its protocols.
            ChipSetting(
                .baudRate, .frame(CASICFrame.port, head: [0xFF, 0xFF, 0xC0, 0x08], count: 4),
                read: .frame(CASICFrame.port)),
            ChipSetting(
                .intervals(
                    [
                        "GGA", "GLL", "GSA", "GSV", "RMC", "VTG", "ZDA", "TXT", "DHV", "LPS", "",
                        "", "UTC", "GST",
                    ], unused: "", limit: 9), "$PCAS03,%", settling: .milliseconds(100)),
            ChipSetting(
                .period(100...10_000), .frame(CASICFrame.rate, count: 2),
                read: .frame(CASICFrame.rate)),
            ChipSetting(
                .bits([(.gps, 1), (.beiDou, 2), (.glonass, 4)]), "$PCAS04,%", settling: restart,
                firmware: "V5"),
        ],
        port: { message in
            guard case .casic(CASICFrame.port, let payload) = message, let port = payload.first
            else { return nil }
            return ("UART\(port)", payload.number(at: 4, count: 4).map { Int($0) })
        },
        restarts: [.hot: "$PCAS10,0", .warm: "$PCAS10,1", .cold: "$PCAS10,2"],
        resets: ["$PCAS10,3"],
        saving: Saving(
            command: "$PCAS00",
            explanation: "the request to save in flash was sent; the chip does not confirm it"))

    /// Unicore's UM98x: plain lines, each answered by `$command,…,response: OK`.
    package static let unicore = ChipTable(
        probe: "VERSIONB",
        settings: [
            ChipSetting(.baudRate, "CONFIG @ %", read: "CONFIG"),
            ChipSetting(
                .unused([
                    (.gps, "GPS"), (.beiDou, "BDS"), (.glonass, "GLO"), (.galileo, "GAL"),
                    (.qzss, "QZSS"),
                ]), "MASK %", undo: "UNMASK %", read: "MASK", reply: "$CONFIG,MASK,MASK %"),
            ChipSetting(.elevation(""), "MASK %", read: "MASK", reply: "$CONFIG,MASK,MASK %"),
            ChipSetting(
                .version([.v4_10: "V410", .v4_11: "V411"]), "CONFIG NMEAVERSION %",
                read: "CONFIG", reply: "$CONFIG,NMEAVERSION,CONFIG NMEAVERSION %"),
        ],
        port: { message in
            guard case .line(let line) = message, let words = line.fields(after: "$CONFIG,"),
                words.count == 2, words[0].hasPrefix("COM")
            else { return nil }
            let values = words[1].split(separator: " ")
            return values.count > 2 ? (words[0], Int(values[2])) : nil
        },
        usesFirstPort: false,
        restartRefusal: "gpsbridge does not know how this chip answers the command",
        saving: Saving(command: "SAVECONFIG"),
        rtcmInputRefusal: (
            "accepts RTCM 3 on each of its ports",
            "if it does not use corrections, it may be in the mode of a base: use --send FILE with the line "
                + "MODE ROVER"
        ))

    /// A receiver that sends sentences but does not answer requests for its version, such as a SiRF
    /// chip. Only its baud rate is changed, with SiRF's command, which other chips ignore.
    static let unidentified = ChipTable(
        // Requests one GGA sentence. If the receiver sends GGA anyway, this also shows that the
        // baud rate is correct.
        probe: "$PSRF103,00,01,00,01",
        // Protocol 1 is NMEA; 0 is SiRF binary.
        settings: [ChipSetting(.baudRate, "$PSRF100,1,%,8,1,0")])
}
