// SPDX-License-Identifier: MIT
package import GNSS
import GNSSNavigation
import UBX

/// The receiver that warm start data belongs to.
package struct WarmStartReceiver: Hashable, Sendable {
    /// The chip's unique number, or the model with the serial number of its USB device.
    package var name: String
    /// All texts of `MON-VER`. The data is only valid for the same firmware.
    var firmware: String

    package init(name: String, firmware: String) { (self.name, self.firmware) = (name, firmware) }
}

/// The data that shortens a receiver's next start: its time, position and navigation database.
package struct WarmStartData: Hashable, Sendable {
    /// A position and its accuracy.
    package struct Position: Hashable, Sendable {
        /// The latitude in degrees north.
        package var latitude: Double
        /// The longitude in degrees east.
        package var longitude: Double
        /// The altitude in metres above the ellipsoid.
        package var ellipsoidalAltitude: Double
        /// The accuracy in metres, one standard deviation.
        package var accuracy: Double

        package init(
            latitude: Double, longitude: Double, ellipsoidalAltitude: Double, accuracy: Double
        ) {
            (self.latitude, self.longitude) = (latitude, longitude)
            (self.ellipsoidalAltitude, self.accuracy) = (ellipsoidalAltitude, accuracy)
        }
    }

    /// The seconds from the opening of the device to the first fix, with and without stored data.
    package struct FirstFixes: Hashable, Sendable {
        /// The seconds at the last start at which stored data was sent to the receiver; `nil` if
        /// they were not measured.
        package var withData: Double?
        /// The seconds at the last start without stored data; `nil` if they were not measured.
        var withoutData: Double?
    }

    /// The receiver that the data was read from. The data is sent to no other receiver.
    package var receiver: WarmStartReceiver
    /// When the data was read, by the receiver's time.
    package var time: UTCTime
    /// The position at that time.
    package var position: Position
    /// The entries of the receiver's navigation database: payloads of `MGA-DBD`.
    package var entries: [[UInt8]] = []
    /// The measured times to the first fix.
    package var firstFixes = FirstFixes()

    /// Creates data without entries.
    package init(receiver: WarmStartReceiver, time: UTCTime, position: Position) {
        (self.receiver, self.time, self.position) = (receiver, time, position)
    }
}

extension WarmStartData {
    /// Parses a file of warm start data.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`.
    package init(toml text: String) throws(ConfigurationError) {
        let document = try TOMLDocument(settings: text)
        do throws(TOMLMismatch) {
            func value(_ key: String) throws(TOMLMismatch) -> TOMLValue {
                guard let entry = document[key] else { throw TOMLMismatch("'\(key)' is missing") }
                return entry.value
            }
            func number(_ key: String, in range: ClosedRange<Double>, _ unit: String)
                throws(TOMLMismatch) -> Double
            {
                try value(key).number(in: range, unit)
            }
            let receiver = WarmStartReceiver(
                name: try value("receiver").string("a name"),
                firmware: try value("firmware").string("a version"))
            guard let time = UTCTime(iso8601: try value("time").string("a time")) else {
                throw TOMLMismatch("expected a time such as 2026-03-21T12:00:00Z")
            }
            let position = Position(
                latitude: try number("latitude", in: -90...90, "degrees"),
                longitude: try number("longitude", in: -180...180, "degrees"),
                ellipsoidalAltitude: try number("altitude", in: -20_000...100_000, "m"),
                accuracy: try number("accuracy", in: 0...1e6, "m"))
            self.init(receiver: receiver, time: time, position: position)
            for text in try value("entries").strings("hexadecimal digits") {
                guard let bytes = DescribedMessage.bytes(text) else {
                    throw TOMLMismatch("expected hexadecimal digits")
                }
                entries.append(bytes)
            }
            for (key, path) in Self.firstFixKeys where document[key] != nil {
                firstFixes[keyPath: path] = try number(key, in: 0...1e6, "s")
            }
        } catch {
            throw ConfigurationError(.malformedFile, error.reason)
        }
    }

    /// The data as a TOML file.
    package var toml: String {
        var document = TOMLDocument()
        document.add("receiver", .string(receiver.name))
        document.add("firmware", .string(receiver.firmware))
        document.add("time", .string("\(time)"))
        document.add("latitude", .number(position.latitude))
        document.add("longitude", .number(position.longitude))
        document.add("altitude", .number(position.ellipsoidalAltitude))
        document.add("accuracy", .number(position.accuracy))
        for (key, path) in Self.firstFixKeys {
            if let seconds = firstFixes[keyPath: path] { document.add(key, .number(seconds)) }
        }
        let texts = entries.map { $0.map { TextLine.hexadecimal($0) }.joined() }
        document.add("entries", .array(texts.map { .string($0) }))
        return document.text
    }

    private static var firstFixKeys: [(String, WritableKeyPath<FirstFixes, Double?>)] {
        [("first-fix-with-data", \.withData), ("first-fix-without-data", \.withoutData)]
    }
}

/// The result of a warm start session.
package enum WarmStartOutcome: Hashable, Sendable {
    /// The receiver was identified. The data stored for it is `nil` if there is none.
    case identified(WarmStartReceiver, WarmStartData?)
    /// Stored data was sent to the receiver.
    case restored(WarmStartTransfer)
    /// The receiver's data was read.
    case collected(WarmStartData)
    /// Nothing was sent, or nothing is to be stored.
    case failed(WarmStartObstacle)
}

/// Counts the messages that were sent to a receiver, by their result.
package struct WarmStartTransfer: Hashable, Sendable {
    /// The age of the stored data in seconds; `nil` if no data is stored for this receiver.
    package var age: Double?
    /// The number of ephemerides that the receiver accepted, or that were sent while it did not
    /// acknowledge assistance data.
    package var ephemerisCount = 0
    /// Whether the time was sent, and the receiver accepted it or does not acknowledge messages.
    package var hasTime = false
    /// The number of messages (time, position and entries) that the receiver accepted.
    package var acceptedCount = 0
    /// The number of messages that the receiver refused.
    package var refusedCount = 0
    /// The number of messages that the receiver should have acknowledged, but did not.
    var unansweredCount = 0
    /// The number of messages that were sent while the receiver did not acknowledge assistance
    /// data.
    package var unconfirmedCount = 0
}

extension WarmStartTransfer: CustomStringConvertible {
    /// A message for the user.
    package var description: String {
        let refused = refusedCount > 0 ? ", refused \(refusedCount)" : ""
        let lost = unansweredCount > 0 ? ", and did not answer \(unansweredCount)" : ""
        let minutes = Int((max(0, age ?? 0) / 60).rounded())
        let stored = age == nil ? "" : " of the data that was stored \(minutes) min ago"
        let orbits =
            ephemerisCount > 0 ? ", \(Plural.text(ephemerisCount, "ephemeris", "ephemerides"))" : ""
        let data = stored + orbits
        let used = Plural.text(acceptedCount, "message")
        let sent = Plural.text(unconfirmedCount, "message")
        return
            (unconfirmedCount > 0
            ? "the receiver got \(sent)\(data), but does not acknowledge such messages"
            : "the receiver used \(used)\(data)") + refused + lost
    }
}

/// The reason why no data is sent to a receiver, or why none is stored.
package enum WarmStartObstacle: String, Error, Hashable, Sendable {
    /// The receiver is not a u-blox receiver of generation M8 or later.
    case unsupported = "the receiver is not a u-blox of generation M8 or later"
    /// The receiver has no unique number, and its USB device has no serial number.
    case notIdentified = "the receiver has no serial number that identifies it"
    /// The receiver already has a fix.
    case hasFix = "the receiver has a fix"
    /// The receiver has no 3D fix, so its data is not stored.
    case noFix = "the receiver has no 3D fix"
    /// No data is stored for the receiver.
    case nothingStored = "nothing is stored for this receiver yet"
    case otherFirmware = "the stored data was read when the receiver had another firmware version"
    /// Neither the system nor the receiver knows the time.
    case clockNotSynchronized = "the system's clock is not synchronised"
    case outdated = "the stored data is older than a week, or from the future"
    /// The receiver's time differs from the time of the system's clock.
    case timesDiffer = "the receiver's time differs from the system's"
    /// The receiver's database was not received completely.
    case incomplete = "not all of the receiver's navigation database was received"
    /// The ephemerides are of simulated receivers, but the receiver is real.
    case simulated = "the ephemerides come from simulated receivers, but this one is real"
    case interrupted = "the receiver was unplugged, or did not answer in time"
}

extension WarmStartObstacle: CustomStringConvertible {
    /// A message for the user.
    package var description: String { rawValue }
}

/// The messages to send to a receiver without a fix. They depend on the age of the stored data and
/// on the clock.
struct WarmStartPlan: Hashable, Sendable {
    enum Item: Hashable, Sendable {
        /// The time at the moment of sending. A receiver that does not know the time refuses all
        /// other messages until it has accepted this one.
        case time
        case position(MgaINIPositionLLH)
        /// The frame of an ephemeris.
        case ephemeris([UInt8])
        /// The frame of the ionosphere or of the difference to UTC.
        case parameters([UInt8])
        case entry([UInt8])
    }

    /// The messages to send, in order.
    var items: [Item] = []
    /// The age of the stored data in seconds; `nil` if none of it is sent.
    var age: Double?

    /// The age of entries, in seconds, from which ephemerides are sent instead of them.
    private static let longestEntryAge = 4.0 * 3600
    /// The maximum age of data in seconds. Almanacs, which expire last, are useful for a week.
    private static let longestAge = 7.0 * 86_400
    /// The maximum difference between the receiver's time and the clock, in seconds.
    static let tolerance = 10.0
    /// The assumed maximum average speed since the data was stored, in metres per second.
    private static let speed = 50.0
    /// The maximum of the position's stated accuracy, in metres. It is the largest that u-blox's
    /// AssistNow service accepts, and almost the radius of the Earth.
    ///
    /// A lower limit would be wrong: a receiver that is farther away than stated searches for the
    /// wrong satellites, and fixes later than without a position.
    private static let maximumAccuracy = 6_000_000.0

    /// Plans the messages. The age of the data is computed with the system's clock or, if that is
    /// not synchronised, with the receiver's time.
    ///
    /// - Parameters:
    ///   - data: What is stored for the receiver; `nil` if nothing is.
    ///   - assistance: Ephemerides, of any receiver.
    ///   - constellations: Those that the receiver uses; `nil` if they are not known.
    /// - Throws: The reason if nothing may be sent.
    init(
        _ data: WarmStartData?, _ assistance: AssistanceData, to receiver: WarmStartReceiver?,
        clock: SynchronizedTime?, receiverTime: UTCTime?, sendsEntries: Bool,
        constellations: Set<Constellation>?
    ) throws(WarmStartObstacle) {
        guard let now = clock?.time ?? receiverTime else { throw .clockNotSynchronized }
        let stored: Result<WarmStartData, WarmStartObstacle> = Self.usable(
            data, of: receiver, at: now)
        let usable = try? stored.get()
        let place = usable.map { data in
            (
                coordinate: Coordinate(
                    latitude: data.position.latitude, longitude: data.position.longitude),
                radius: Self.accuracy(of: data, at: now)
            )
        }
        let frames = AssistanceData.seconds(now).map {
            assistance.frames(at: $0, for: place, constellations)
        }
        let ephemerides = frames?.ephemerides ?? []
        if let usable {
            age = now.seconds(since: usable.time)
        } else if ephemerides.isEmpty {
            _ = try stored.get()
        }
        if clock != nil { items.append(.time) }
        if let usable {
            var position = MgaINIPositionLLH()
            position.latitude = usable.position.latitude
            position.longitude = usable.position.longitude
            position.ellipsoidalAltitude = usable.position.ellipsoidalAltitude
            position.accuracy = Self.accuracy(of: usable, at: now)
            items.append(.position(position))
        }
        items += ephemerides.map { .ephemeris($0) }
        items += (frames?.parameters ?? []).map { .parameters($0) }
        let isOld = age.map { $0 > Self.longestEntryAge } ?? true
        if sendsEntries, let usable, ephemerides.isEmpty || !isOld {
            items += usable.entries.map { .entry($0) }
        }
    }

    /// Returns the data if it belongs to the receiver and is not outdated.
    private static func usable(
        _ data: WarmStartData?, of receiver: WarmStartReceiver?, at now: UTCTime
    ) -> Result<WarmStartData, WarmStartObstacle> {
        guard let receiver else { return .failure(.notIdentified) }
        guard let data, data.receiver.name == receiver.name else { return .failure(.nothingStored) }
        guard data.receiver.firmware == receiver.firmware else { return .failure(.otherFirmware) }
        let age = now.seconds(since: data.time)
        return -tolerance...longestAge ~= age ? .success(data) : .failure(.outdated)
    }

    /// The accuracy of the stored position now, in metres.
    private static func accuracy(of data: WarmStartData, at now: UTCTime) -> Double {
        let distance = max(0, now.seconds(since: data.time)) * speed
        return min(data.position.accuracy + distance, maximumAccuracy)
    }
}

extension ConfigurationLine {
    /// Whether the transmission of the navigation database takes less time than a warm start saves.
    /// It takes 4.5 s at 38,400 baud and 1.5 s at 115,200 baud.
    var carriesDatabase: Bool { isNativeUSB || (baudRate ?? 0) >= 38_400 }
}

extension MgaINITimeUTC {
    /// The assumed maximum delay in seconds from the program to the chip.
    private static let delay = 0.1

    /// Creates the message for the current time. Its accuracy includes the clock's maximum error
    /// and the transmission delay.
    init(_ clock: SynchronizedTime) {
        self.init()
        let (date, time) = (clock.time.date, clock.time.time)
        year = UInt16(clamping: date.year)
        (month, day) = (UInt8(clamping: date.month), UInt8(clamping: date.day))
        (hour, minute) = (UInt8(clamping: time.hour), UInt8(clamping: time.minute))
        second = UInt8(clamping: time.second)
        nanoseconds = UInt32(clamping: time.nanosecond)
        let accuracy = min(max(0, clock.maximumError), 60_000) + Self.delay
        accuracySeconds = UInt16(accuracy)
        accuracyNanoseconds = UInt32((accuracy - accuracy.rounded(.down)) * 1e9)
    }
}

extension NavPVT {
    /// The receiver's time in UTC; `nil` if it is not valid.
    var time: UTCTime? {
        guard validity.hasDate, validity.hasTime,
            let date = CalendarDate(year: Int(year), month: Int(month), day: Int(day)),
            let time = TimeOfDay(hour: Int(hour), minute: Int(minute), second: Int(second))
        else { return nil }
        return UTCTime(date: date, time: time)
    }

    /// Whether the message reports a fix, including time-only fixes.
    var hasFix: Bool { hasPosition || flags.isFixOK && fixType.rawValue >= 2 }

    /// The position of a 3D fix with a known accuracy; `nil` if there is no such fix.
    var warmStartPosition: WarmStartData.Position? {
        guard hasPosition, fixType == .threeD || fixType == .combined,
            let accuracy = horizontalAccuracy
        else { return nil }
        return WarmStartData.Position(
            latitude: latitude, longitude: longitude, ellipsoidalAltitude: ellipsoidalAltitude,
            accuracy: accuracy)
    }
}

/// The time of a synchronised clock, with its maximum error.
package struct SynchronizedTime: Hashable, Sendable {
    package var time: UTCTime
    /// The maximum error in seconds.
    package var maximumError: Double

    package init(_ time: UTCTime, maximumError: Double) {
        (self.time, self.maximumError) = (time, maximumError)
    }
}

extension UTCTime {
    /// Returns the number of seconds since another instant; negative if this one is earlier.
    func seconds(since other: UTCTime) -> Double {
        (Double(unixNanoseconds) - Double(other.unixNanoseconds)) / 1e9
    }
}
