// SPDX-License-Identifier: MIT

extension Fix: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line of what is known: time, coordinate, accuracy, altitude, speed, course, heading, kind of
    /// fix and satellites used.
    ///
    ///     2026-03-21T12:00:00.000Z 48.2074883, 16.3633768 ±3 m, altitude 170.7 m ±4.5 m, 10 m/s, 90°, 3D, 12 satellites (simulated)
    public var description: String {
        var parts: [String] = []
        if let coordinate {
            parts.append(
                "\(Self.text(coordinate.latitude, 7)), \(Self.text(coordinate.longitude, 7))"
                    + Self.margin(accuracy.horizontal))
        }
        if let altitude {
            parts.append("altitude \(Self.text(altitude, 1)) m" + Self.margin(accuracy.vertical))
        }
        if let speed { parts.append("\(Self.text(speed, 1)) m/s") }
        if let course { parts.append(Self.degrees(course)) }
        if let heading = attitude.heading {
            parts.append("heading \(Self.degrees(heading))")
        } else if let heading = attitude.magneticHeading {
            parts.append("magnetic heading \(Self.degrees(heading))")
        }
        parts.append(kind)
        if let satellitesUsed {
            parts.append("\(satellitesUsed) satellite\(satellitesUsed == 1 ? "" : "s")")
        }
        let instant = time.map { "\($0) " } ?? timeOfDay.map { "\($0.text) " } ?? ""
        let isSimulated = quality == .simulated
        return instant + parts.joined(separator: ", ") + (isSimulated ? " (simulated)" : "")
    }

    /// Every property that is known.
    public var debugDescription: String {
        let properties = Mirror(reflecting: self).children.compactMap { property -> String? in
            let mirror = Mirror(reflecting: property.value)
            guard mirror.displayStyle != .optional || !mirror.children.isEmpty else { return nil }
            return "\(property.label ?? ""): \(property.value)"
        }
        return "Fix(\(properties.joined(separator: ", ")))"
    }

    private var kind: String {
        let dimensions =
            switch mode {
            case .noFix: "no fix"
            case .twoD: "2D"
            case .threeD: "3D"
            }
        let name: String? =
            switch quality {
            case .invalid, .autonomous, .simulated: nil
            case .rtkFixed: "RTK fixed"
            case .rtkFloat: "RTK float"
            default: "\(quality.name)"
            }
        return mode == .noFix ? dimensions : name.map { "\(dimensions) \($0)" } ?? dimensions
    }

    private static func text(_ number: Double, _ decimals: Int) -> String {
        String(number, atMostDecimals: decimals)
    }

    /// 359.96 is 0 at one decimal.
    private static func degrees(_ angle: Double) -> String {
        "\(text(angle >= 359.95 && angle < 360 ? 0 : angle, 1))°"
    }

    private static func margin(_ accuracy: Double?) -> String {
        accuracy.map { " ±\(text($0, 1)) m" } ?? ""
    }
}

extension TimeOfDay {
    /// `12:00:00`, with milliseconds where it has some.
    fileprivate var text: String {
        let milliseconds = nanosecond / 1_000_000
        return milliseconds > 0 ? "\(clock).\(String(milliseconds, width: 3))" : clock
    }
}
