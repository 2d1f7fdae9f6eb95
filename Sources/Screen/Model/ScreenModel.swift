// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA

/// All that is shown of one receiver. It is told what happens and when; drawing only looks at it.
package struct ScreenModel: Sendable {
    /// Where the bytes come from.
    package enum Origin: Sendable { case live, replay, simulated }

    /// How the receiver is.
    package enum Condition: Hashable, Sendable {
        /// It has not been there yet, and why.
        case awaited(String)
        /// It is read.
        case open
        /// It is gone, and why.
        case gone(String)
        /// There is no more to come, and why where that is an error.
        case ended(String?)
    }

    /// What the user calls it, then the device's name.
    package private(set) var name: String
    /// Where the bytes come from.
    package let origin: Origin
    /// How the receiver is.
    package private(set) var condition = Condition.awaited("")
    /// Since when.
    package private(set) var conditionChanged: ClockReading?
    /// What else is the matter with it.
    package private(set) var trouble: String?

    /// Whether the receiver has called a fix simulated since it was opened.
    private var hasSimulated = false
    /// The last fix, with a position or without.
    package private(set) var fix: Fix?
    /// The last fix that had a position.
    package private(set) var position: (fix: Fix, at: ClockReading)?
    /// Since when fixes have had this quality and as many dimensions.
    package private(set) var held: ClockReading?
    /// The last complete list of satellites.
    package private(set) var satellites: [Satellite] = []
    /// Where it has been.
    package private(set) var track = TrackHistory()
    /// What comes over the line.
    package private(set) var stream = StreamHistory()

    /// Starts with nothing known.
    package init(name: String, origin: Origin) {
        self.name = name
        self.origin = origin
    }

    // MARK: Comings and goings

    /// It is open, under this name.
    package mutating func opened(_ device: String, at moment: ClockReading) {
        name = device
        trouble = nil
        hasSimulated = false
        stream.pause()
        change(to: .open, moment)
    }

    /// It cannot be opened for now.
    package mutating func unavailable(_ reason: String, at moment: ClockReading) {
        if case .gone = condition { return trouble = reason }
        change(to: .awaited(reason), moment)
    }

    /// It was there and is not any more.
    package mutating func lost(_ reason: String, at moment: ClockReading) {
        change(to: .gone(reason), moment)
        held = nil
        satellites = []
        stream.pause()
    }

    /// Nothing more will come.
    package mutating func ended(_ reason: String?, at moment: ClockReading) {
        change(to: .ended(reason), moment)
    }

    /// Something is the matter, though it is read.
    package mutating func troubled(_ reason: String) {
        trouble = reason
    }

    private mutating func change(to new: Condition, _ moment: ClockReading) {
        condition = new
        conditionChanged = moment
    }

    // MARK: What it says

    /// An epoch is complete.
    package mutating func take(_ new: Fix, _ view: SatelliteView, at moment: ClockReading) {
        if fix?.mode != new.mode || fix?.quality != new.quality || held == nil { held = moment }
        fix = new
        hasSimulated = hasSimulated || new.quality == .simulated
        satellites = view.satellites
        stream.count(new, at: moment)
        guard new.mode > .noFix, let coordinate = new.coordinate, coordinate.isValid else { return }
        position = (new, moment)
        trouble = nil
        track.add(coordinate, at: moment)
    }

    /// The lists of satellites are complete.
    package mutating func take(_ view: SatelliteView) {
        satellites = view.satellites
    }

    /// A sentence with a right checksum came, without its line end.
    package mutating func take(sentence: [UInt8], at moment: ClockReading) {
        stream.count(sentence: sentence, at: moment)
    }

    /// Something came that is no sentence.
    package mutating func take(_ rejection: Rejection) {
        stream.count(rejection)
    }

    // MARK: What it amounts to

    /// Whether what it says was made up, by whoever.
    var isSimulated: Bool { origin == .simulated || hasSimulated }

    /// Seconds since the last fix with a position arrived, where that is longer than its rate lets
    /// one expect.
    func staleness(at now: ClockReading) -> Double? {
        guard let position else { return nil }
        let age = now.seconds(since: position.at)
        let expected = stream.period.map { max(3, $0 * 3) } ?? 3
        return age > expected ? age : nil
    }
}
