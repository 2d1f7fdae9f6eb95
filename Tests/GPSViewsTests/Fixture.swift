// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSViews
import NMEA
import SimulatedDevices
import UBX

/// A model of a simulated receiver with a fixed seed.
struct SeededReceiver {
    private(set) var model: ScreenModel
    private(set) var now = ClockReading(unix: 0, steady: 0)
    private var decoder = NMEADecoder()
    private var receiver: SimulatedReceiver
    private let start: Int64
    private var navigator: Navigator?

    init(
        origin: DataOrigin = .simulated, name: String = "simulated:ublox9",
        personality: Personality = .ublox9, instruments: Set<SimulatedInstrument> = []
    ) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.trajectory = CircleTrack(
            center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 120, speed: 4)
        configuration.seed = 7
        configuration.instruments = instruments
        start = 1_774_270_800
        model = ScreenModel(name: name, origin: origin)
        receiver = SimulatedReceiver(configuration, startingAt: start)
        now = moment(0)
        model.opened(name, at: now)
    }

    private func moment(_ seconds: Double) -> ClockReading {
        let nanoseconds = Int64(seconds * 1e9)
        return ClockReading(unix: start * 1_000_000_000 + nanoseconds, steady: nanoseconds)
    }

    /// Adds a number of epochs, each read slightly more than 80 ms after its time.
    mutating func watch(_ epochs: Int) {
        for index in 0..<epochs {
            let epoch = receiver.next()
            now = moment(epoch.seconds + 0.08 + Double(index % 5) * 0.004)
            let (moment, wasAt) = (now, model)
            var changed = wasAt
            changed.raw.push(epoch.bytes, at: moment)
            decoder.push(epoch.bytes.span) { event in
                switch event {
                case .sentence(let raw): changed.stream.count(sentence: raw.bytes, at: moment)
                case .rejected(let rejection): changed.stream.count(rejection, at: moment)
                case .fix(let fix, let view):
                    let navigation = navigator?.receive(fix, at: epoch.seconds, time: fix.time)
                    if let navigation { changed.navigation = navigation }
                    changed.didReceive(fix: fix, satellites: view, at: moment)
                case .satellites(let view): changed.didReceive(.satellites(view), at: moment)
                case .tagBlock, .ubx: break
                }
            }
            model = changed
        }
    }

    /// Enables a message of a chip with keys.
    mutating func enable(_ key: UInt32) {
        _ = receiver.answers(
            to: CfgVALSET([ConfigurationItem(ConfigurationKey(key), UInt64(1))]).frame)
    }

    /// Receives raw measurements of three signals.
    mutating func measure() {
        var epoch = RxmRAWX()
        for (svid, signal, lock, state) in [(5, 0, 64_500, 7), (5, 3, 12_000, 3), (7, 0, 0, 0)] {
            var measurement = RxmRAWX.Measurement()
            (measurement.svid, measurement.signalID) = (UInt8(svid), UInt8(signal))
            (measurement.cn0, measurement.lockTime) = (42, UInt16(lock))
            measurement.pseudorange = 21_000_000.25
            measurement.tracking = RxmRAWX.Measurement.Tracking(rawValue: UInt8(state))
            epoch.measurements.append(measurement)
        }
        model.raw.push(epoch.frame, at: now)
    }

    /// Starts an anchor watch or a route.
    mutating func navigate(_ settings: Navigator.Settings) { navigator = Navigator(settings) }

    /// Advances the time without data.
    mutating func wait(_ seconds: Double) {
        let nanoseconds = Int64(seconds * 1e9)
        now = ClockReading(unix: now.unix + nanoseconds, steady: now.steady + nanoseconds)
    }

    /// Reports another reader of the tty.
    mutating func share() {
        let error = DeviceError(
            .otherReader, device: model.name, detail: .heldBy(program: "gpsd", processID: 42))
        model.didReceive(.notice(.otherReader(error)), at: now)
    }

    /// Loses the receiver.
    mutating func lose() { model.lost(at: now) }
}

/// A canvas as text for a terminal: the rows with the control sequences of their styles.
enum ColouredText {
    /// Creates the text with a number of colours; 0 keeps bold, dim and reverse.
    static func text(_ canvas: Canvas, colours: Int) -> String {
        var text = ""
        for y in 0..<canvas.height {
            var style = Style.plain
            var end = canvas.width
            while end > 0, canvas[end - 1, y] == Canvas.Cell() { end -= 1 }
            for x in 0..<end {
                let cell = canvas[x, y]
                if cell.style != style { text += sequence(cell.style, colours) }
                style = cell.style
                text.unicodeScalars.append(cell.character)
            }
            text += style == .plain ? "\n" : "\u{1B}[0m\n"
        }
        return text
    }

    private static func sequence(_ style: Style, _ colours: Int) -> String {
        var parts = ["0"]
        if style.isBold { parts.append("1") }
        if style.isDim { parts.append("2") }
        if style.isReversed { parts.append("7") }
        if let colour = style.role.colour(of: colours) { parts.append("38;5;\(colour)") }
        return "\u{1B}[" + parts.joined(separator: ";") + "m"
    }
}

extension Canvas {
    /// The characters alone, each row without blanks at its end.
    var text: String {
        (0..<height).map { y in
            var row = String.UnicodeScalarView()
            var end = width
            while end > 0, self[end - 1, y].character == " " { end -= 1 }
            for x in 0..<end { row.append(self[x, y].character) }
            return String(row) + "\n"
        }.joined()
    }
}

/// A tty of any origin, which is never opened.
private struct TestSource: DeviceSource {
    let name: String
    let origin: DataOrigin
    let capabilities: SourceCapabilities = [.serialLine]

    func open() throws(DeviceError) -> any DeviceConnection {
        throw DeviceError(.notFound, device: name)
    }
}

/// Updates of a session whose source is a tty.
extension ScreenModel {
    init(name: String, origin: DataOrigin) {
        self.init(TestSource(name: name, origin: origin), name: name)
    }

    mutating func opened(_ device: String, at moment: ClockReading) {
        didReceive(.condition(.open(device: device, problem: nil), after: .searching), at: moment)
    }

    mutating func unavailable(_ error: DeviceError, at moment: ClockReading) {
        didReceive(.condition(.waiting(error), after: .searching), at: moment)
    }

    mutating func silent(at moment: ClockReading) {
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.silent(device: name, seconds: 10), after: open), at: moment)
    }

    /// A silent receiver sends again.
    mutating func isBack(at moment: ClockReading) {
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(
            .condition(open, after: .silent(device: name, seconds: 10)), at: moment)
    }

    mutating func lost(at moment: ClockReading) {
        let error = DeviceError(.disconnected, device: name)
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.lost(error), after: open), at: moment)
    }

    mutating func ended(_ error: DeviceError? = nil, at moment: ClockReading) {
        let ending = ReceiverCondition.Ending(Statistics(), error)
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.ended(ending), after: open), at: moment)
    }

    mutating func didReceive(
        fix: Fix, satellites view: SatelliteView, at moment: ClockReading
    ) {
        let epoch = ReceiverEpoch(
            fix: fix, satellites: view, arrival: nil, device: name, origin: origin)
        didReceive(.epoch(epoch), at: moment)
    }
}

/// A terminal with few control sequences that counts the written cells.
struct ScriptedTerminal: TerminalLanguage {
    private(set) var canvas: Canvas
    private(set) var written = 0
    private var cursor = (x: 0, y: 0)
    private var style = Style.plain

    init(width: Int, height: Int) { canvas = Canvas(width: width, height: height) }

    /// Changes the size; the contents are then undefined, as in real terminals.
    mutating func resize(width: Int, height: Int) {
        canvas = Canvas(width: width, height: height)
        for y in 0..<height { canvas.write(String(repeating: "#", count: width), 0, y) }
    }

    func move(x: Int, y: Int) -> [UInt8] { Array("\u{1}\(x),\(y);".utf8) }
    func style(_ style: Style) -> [UInt8] {
        let bits = [style.isBold, style.isReversed, style.isDim].map { $0 ? "1" : "0" }.joined()
        return Array("\u{2}\(style.role.rawValue),\(bits);".utf8)
    }
    var clear: [UInt8] { [3] }

    mutating func take(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar.value {
            case 1, 2:
                let words = scalars.prefix { $0 != ";" }
                scalars = scalars.dropFirst(words.count + 1)
                let parts = String(words).split(separator: ",")
                guard parts.count == 2, let first = Int(parts[0]) else { return }
                if scalar.value == 1 {
                    cursor = (first, Int(parts[1]) ?? 0)
                } else {
                    style = Style(Style.Role(rawValue: UInt8(first)) ?? .plain)
                    let bits = parts[1].map { $0 == "1" }
                    (style.isBold, style.isReversed, style.isDim) = (bits[0], bits[1], bits[2])
                }
            case 3: canvas = Canvas(width: canvas.width, height: canvas.height)
            default:
                canvas[cursor.x, cursor.y] = Canvas.Cell(character: scalar, style: style)
                cursor.x += 1
                written += 1
            }
        }
    }
}
