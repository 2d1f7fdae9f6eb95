// SPDX-License-Identifier: MIT

extension Fix: CustomStringConvertible, CustomDebugStringConvertible {
    /// The known values on one line: time, coordinate, accuracy, altitude, speed, course, heading,
    /// type of fix and satellites used.
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
            parts.append(Plural.text(satellitesUsed, "satellite"))
        }
        let instant = time.map { "\($0) " } ?? timeOfDay.map { "\($0.text) " } ?? ""
        let isSimulated = quality == .simulated
        return instant + parts.joined(separator: ", ") + (isSimulated ? " (simulated)" : "")
    }

    /// All known properties, with their names.
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

    /// Formats an angle with one decimal. An angle that would be rounded to 360° becomes 0°.
    private static func degrees(_ angle: Double) -> String {
        "\(text(angle.direction(decimals: 1), 1))°"
    }

    private static func margin(_ accuracy: Double?) -> String {
        accuracy.map { " ±\(text($0, 1)) m" } ?? ""
    }
}

extension TimeOfDay {
    /// The time as `12:00:00`, with milliseconds unless they are 0.
    fileprivate var text: String {
        let milliseconds = nanosecond / 1_000_000
        return milliseconds > 0 ? "\(clock).\(String(milliseconds, width: 3))" : clock
    }
}
