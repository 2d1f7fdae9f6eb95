// SPDX-License-Identifier: MIT
import GNSS

/// The altitude mode of a line or a `gx:Track`, and its positions until the mode is known.
///
/// Some programs, such as simplekml, write `altitudeMode` after the positions. Therefore, up to
/// 100,000 positions are held. Those of longer lines are passed on without altitudes.
struct KMLAltitudes {
    /// The data of a position. A fix would need much more memory.
    private struct Position {
        var coordinate: Coordinate
        var altitude: Double?
        var time: UTCTime?
    }

    private static let maximumCount = 100_000

    /// Whether the mode is `absolute`, so that altitudes are used; `nil` until it is known.
    private(set) var isAbsolute: Bool?
    /// Whether the mode of a line followed positions that had been passed on without altitudes.
    private(set) var areLost = false
    private var held: [Position] = []
    /// The quality of the positions in `held`.
    private var quality = FixQuality.autonomous
    /// Whether there were too many positions to hold.
    private var isExceeded = false

    /// Begins a geometry. `isAbsolute` is `nil` if its mode is not known.
    mutating func begin(isAbsolute: Bool?) {
        (self.isAbsolute, isExceeded) = (isAbsolute, false)
    }

    /// Sets the mode, and passes on the positions that waited for it.
    mutating func set(isAbsolute: Bool, _ events: inout [InputEvent]) {
        guard !isExceeded else {
            areLost = areLost || isAbsolute
            return
        }
        self.isAbsolute = isAbsolute
        passOn(&events)
    }

    /// Passes on a position, or holds it until the mode is known.
    mutating func append(_ fix: Fix, _ events: inout [InputEvent]) {
        guard let coordinate = fix.coordinate else { return }
        if let isAbsolute {
            var fix = fix
            // The position may have been read before the mode.
            if !isAbsolute { fix.removeAltitude() }
            return events.append(.fix(fix))
        }
        held.append(Position(coordinate: coordinate, altitude: fix.altitude, time: fix.time))
        quality = fix.quality
        guard held.count > Self.maximumCount else { return }
        (isAbsolute, isExceeded) = (false, true)
        passOn(&events)
    }

    /// Ends the geometry. Without a mode, altitudes are not used.
    mutating func end(_ events: inout [InputEvent]) {
        passOn(&events)
        (isAbsolute, isExceeded) = (nil, false)
    }

    private mutating func passOn(_ events: inout [InputEvent]) {
        for position in held {
            var fix = Fix()
            fix.coordinate = position.coordinate
            if isAbsolute == true { fix.altitude = position.altitude }
            if let time = position.time { fix.set(time: time) }
            fix.complete(mode: nil, quality: quality)
            events.append(.fix(fix))
        }
        held = []
    }
}

extension Fix {
    /// Removes the altitude, so that the position is 2D.
    mutating func removeAltitude() {
        (altitude, mode) = (nil, .twoD)
    }

    /// Sets the altitude, so that the position is 3D.
    mutating func set(altitude: Double) {
        (self.altitude, mode) = (altitude, .threeD)
    }
}
