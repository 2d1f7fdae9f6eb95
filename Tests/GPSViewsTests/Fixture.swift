// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSViews
import NMEA
import SimulatedDevices

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
