// SPDX-License-Identifier: MIT
import GNSS

/// The dialect of Unicore's UM98x: plain lines, each answered by `$command,…,response: OK`.
struct UnicoreDialect: CommandDialect {
    var state: ReceiverState
    var queue: [Exchange] = []
    private var line: ConfigurationLine
    /// The baud rates of the ports, by names such as `COM1`.
    private var baudRates: [String: Int] = [:]

    init(_ identity: ReceiverIdentity, line: ConfigurationLine) {
        state = ReceiverState(identity)
        self.line = line
    }

    private static let names: [(Constellation, String)] = [
        (.gps, "GPS"), (.glonass, "GLO"), (.galileo, "GAL"), (.beiDou, "BDS"), (.qzss, "QZSS"),
    ]

    /// The request for the constellations that are off and the minimum elevation.
    private static let masks = TextLine.plain("MASK")
    private static let versions: [NMEAVersion: String] = [.v4_10: "V410", .v4_11: "V411"]

    var probe: Exchange { .probe(TextLine.plain("VERSIONB")) }

    mutating func beginReading(_ request: ConfigurationRequest, line: ConfigurationLine) {
        self.line = line
        state.configuration = ReceiverConfiguration()
        baudRates = [:]
        queue = [TextLine.plain("CONFIG"), Self.masks].map { Exchange($0) }
    }

    mutating func didRead(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        guard case .accepted(let messages) = outcome else { return }
        // The answer lists those that are off.
        if exchange.bytes == Self.masks {
            state.configuration.constellations = Set(Self.names.map(\.0))
        }
        for case .line(let line) in messages {
            let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0] == "$CONFIG" else { continue }
            didRead(fields[2].split(separator: " ").map(String.init))
        }
        // Several ports may have the line's baud rate. The first one is used, because most boards
        // connect their USB converter to it.
        let ours = baudRates.filter { $0.value == line.baudRate }.keys.sorted()
        state.port = ours.first
        state.configuration.baudRate = state.port.flatMap { baudRates[$0] }
    }

    private mutating func didRead(_ words: [String]) {
        guard words.count >= 2 else { return }
        switch (words[0], words[1]) {
        case ("CONFIG", let port) where port.hasPrefix("COM") && words.count >= 3:
            baudRates[port] = Int(words[2])
        case ("CONFIG", "NMEAVERSION") where words.count >= 3:
            state.configuration.nmeaVersion = Self.versions.first { $0.value == words[2] }?.key
        // More words limit the mask to one constellation, satellite or signal.
        case ("MASK", let what) where words.count == 2:
            if let angle = Double(what) {
                state.configuration.minimumElevation = Int(exactly: angle.rounded())
            } else if let name = Self.names.first(where: { $0.1 == what }) {
                state.configuration.constellations?.remove(name.0)
            }
        default: break
        }
    }

    func steps(to requested: ReceiverConfiguration) throws(ConfigurationError)
        -> [ConfigurationStep]
    {
        try refuse(requested, except: ["baud", "constellations", "elevation", "nmea-version"])
        var steps = try baudRateSteps(to: requested, command: baudRate)
        if let wanted = requested.constellations {
            try refuse(wanted, except: Self.names.map(\.0))
            for (constellation, name) in Self.names {
                let isOn = state.configuration.constellations?.contains(constellation) ?? true
                let isWanted = wanted.contains(constellation)
                guard isOn != isWanted else { continue }
                let (command, undo) = isWanted ? ("UNMASK", "MASK") : ("MASK", "UNMASK")
                steps.append(
                    ConfigurationStep(
                        title: "constellations", command: TextLine.plain("\(command) \(name)"),
                        undo: TextLine.plain("\(undo) \(name)")))
            }
        }
        steps += try settingSteps("elevation", \.minimumElevation, to: requested) {
            TextLine.plain("MASK \($0)")
        }
        steps += try settingSteps("NMEA version", \.nmeaVersion, to: requested, command: version)
        return steps
    }

    private func baudRate(_ baudRate: Int) throws(ConfigurationError) -> [UInt8] {
        guard let port = state.port else {
            throw error(.unsupported, "does not report which of its ports is connected")
        }
        return TextLine.plain("CONFIG \(port) \(baudRate)")
    }

    private func version(_ version: NMEAVersion) throws(ConfigurationError) -> [UInt8] {
        guard let name = Self.versions[version] else {
            throw error(.unsupported, "supports NMEA 4.10 and 4.11, not \(version.rawValue)")
        }
        return TextLine.plain("CONFIG NMEAVERSION \(name)")
    }

    func savings(of request: ConfigurationRequest) -> [ConfigurationSaving] {
        flashSavings(TextLine.plain("SAVECONFIG"))
    }

    func restart(_ restart: ConfigurationRequest.Restart) throws(ConfigurationError) -> Exchange {
        throw unsupported(
            "restart", because: "gpsbridge does not know how this chip answers the command")
    }

    func factoryReset() throws(ConfigurationError) -> [Exchange] {
        throw unsupported(
            "restore factory settings",
            because: "gpsbridge does not know how this chip answers the command")
    }
}
