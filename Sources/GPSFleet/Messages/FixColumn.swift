// SPDX-License-Identifier: MIT
package import GNSS

/// A value of a fix as it is spooled and sent.
///
/// A column's place in `all` is its place in the spool: append new ones at the end.
package struct FixColumn: Sendable {
    /// Its name in messages and in the spool.
    package let name: String
    /// How many decimals it keeps.
    package let decimals: Int
    /// Its value in a fix; `nil` where it is not known.
    package let value: @Sendable (Fix) -> Double?
    /// Sets it in a fix.
    package let set: @Sendable (inout Fix, Double) -> Void

    /// 10 to the power of `decimals`.
    package var scale: Double { powerOfTen(decimals) }

    /// A property of a fix.
    private init(
        _ name: String, _ decimals: Int, _ path: any WritableKeyPath<Fix, Double?> & Sendable
    ) {
        self.init(name, decimals, { $0[keyPath: path] }, { $0[keyPath: path] = $1 })
    }

    private init(
        _ name: String, _ decimals: Int, _ value: @escaping @Sendable (Fix) -> Double?,
        _ set: @escaping @Sendable (inout Fix, Double) -> Void
    ) {
        self.name = name
        self.decimals = decimals
        self.value = value
        self.set = set
    }

    /// The place of the latitude, and of the longitude.
    package static let latitude = 2
    package static let longitude = 3
    /// The place of the metres over ground since the bridge was started.
    package static let odometer = 20

    /// A value for each column, without an allocation. The list of columns has this type, too: with another number
    /// of columns it does not compile.
    package typealias Table<Value> = InlineArray<21, Value>

    /// The columns, in the order of messages.
    package static let all: [FixColumn] = table.indices.map { table[$0] }

    private static let table: Table<FixColumn> = [
        .init("mode", 0, { Double($0.mode.rawValue) }) {
            $0.mode = UInt8(exactly: $1).flatMap { FixMode(rawValue: $0) } ?? .noFix
        },
        .init("quality", 0, { Double($0.quality.rawValue) }) {
            $0.quality = UInt8(exactly: $1).flatMap { FixQuality(rawValue: $0) } ?? .invalid
        },
        .init("lat", 8, { $0.coordinate?.latitude }) { fix, value in
            fix.coordinate = Coordinate(
                latitude: value, longitude: fix.coordinate?.longitude ?? 0)
        },
        .init("lon", 8, { $0.coordinate?.longitude }) { fix, value in
            fix.coordinate = Coordinate(latitude: fix.coordinate?.latitude ?? 0, longitude: value)
        },
        .init("alt", 3, \.altitude),
        .init("geoid", 2, \.geoidSeparation),
        .init("speed", 3, \.speed),
        .init("course", 2, \.course),
        .init("climb", 3, \.climb),
        .init("heading", 2, \.attitude.heading),
        .init("hacc", 3, \.accuracy.horizontal),
        .init("vacc", 3, \.accuracy.vertical),
        .init("hdop", 2, \.dilution.hdop),
        .init("vdop", 2, \.dilution.vdop),
        .init("pdop", 2, \.dilution.pdop),
        .init("used", 0, { $0.satellitesUsed.map(Double.init) }) {
            $0.satellitesUsed = Int(exactly: $1)
        },
        .init("inView", 0, { $0.satellitesInView.map(Double.init) }) {
            $0.satellitesInView = Int(exactly: $1)
        },
        .init("correctionAge", 1, \.correctionAge),
        .init("station", 0, { $0.correctionStation.map(Double.init) }) {
            $0.correctionStation = Int(exactly: $1)
        },
        .init("timeOfDay", 3, { $0.time == nil ? $0.timeOfDay?.seconds : nil }) {
            $0.timeOfDay = TimeOfDay(seconds: $1)
        },
        // Of no single fix: `FixRow.init` sets it.
        .init("odometer", 2, { _ in nil }) { _, _ in },
    ]
}

extension TimeOfDay {
    /// Seconds since midnight.
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }

    fileprivate init?(seconds: Double) {
        guard 0..<86_401 ~= seconds else { return nil }
        let milliseconds = Int((seconds * 1000).rounded())
        let second = milliseconds / 1000
        guard second < 86_400 else {
            self.init(hour: 23, minute: 59, second: 60)
            return
        }
        self.init(
            hour: second / 3600, minute: second / 60 % 60, second: second % 60,
            nanosecond: milliseconds % 1000 * 1_000_000)
    }
}
