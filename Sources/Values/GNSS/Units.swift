// SPDX-License-Identifier: MIT

/// A system of units for lengths and speeds.
package enum Units: Int, CaseIterable, Sendable {
    case metric, imperial, nautical

    /// The name of the system of units, on the command line and on the screen.
    package var name: String {
        switch self {
        case .metric: "metric"
        case .imperial: "imperial"
        case .nautical: "nautical"
        }
    }

    /// The unit for heights and accuracies: its size in metres and its symbol. It is the metre for
    /// nautical units too, as on charts.
    package var height: (metres: Double, sign: String) {
        self == .imperial ? (0.3048, "ft") : (1, "m")
    }

    /// The unit for speeds: its size in metres per second and its symbol.
    package var speed: (metres: Double, sign: String) {
        switch self {
        case .metric: (1 / 3.6, "km/h")
        case .imperial: (0.44704, "mph")
        case .nautical: (1852 / 3600.0, "kn")
        }
    }

    /// The unit for long distances: its size in metres and its symbol.
    package var distance: (metres: Double, sign: String) {
        switch self {
        case .metric: (1000, "km")
        case .imperial: (1609.344, "mi")
        case .nautical: (1852, "nmi")
        }
    }

    /// Formats a length in metres or feet: `12.3 m`.
    package func length(_ metres: Double, decimals: Int = 1) -> String {
        "\(String(metres / height.metres, decimals: decimals)) \(height.sign)"
    }

    /// Formats a distance: in whole metres or feet if it is shorter than a kilometre or mile,
    /// otherwise in kilometres or miles with 3 decimals.
    package func distance(_ metres: Double) -> String {
        metres < distance.metres
            ? length(metres, decimals: 0)
            : "\(String(metres / distance.metres, decimals: 3)) \(distance.sign)"
    }

    /// Formats an accuracy in metres or feet, with 3 decimals below 0.05, 2 below 0.5, and 1
    /// otherwise.
    package func accuracy(_ metres: Double) -> String {
        let value = metres / height.metres
        return length(metres, decimals: value < 0.05 ? 3 : value < 0.5 ? 2 : 1)
    }

    /// Formats a speed: `12.3 km/h`.
    package func speed(_ metresPerSecond: Double) -> String {
        "\(String(metresPerSecond / speed.metres, decimals: 1)) \(speed.sign)"
    }

    /// Formats a vertical speed in feet per minute for imperial units, otherwise in metres per
    /// second.
    package func climb(_ metresPerSecond: Double) -> String {
        self == .imperial
            ? "\(String(metresPerSecond / 0.3048 * 60, decimals: 0)) ft/min"
            : "\(String(metresPerSecond, decimals: 1)) m/s"
    }

    /// Formats the length of a map's scale bar, given in metres. Lengths of at least one kilometre
    /// or mile use the unit `distance`, and shorter lengths use `height`.
    package func scale(_ metres: Double) -> String {
        let (unit, sign) = metres < distance.metres ? height : distance
        let value = metres / unit
        return "\(String(value, decimals: value < 10 && value != value.rounded() ? 1 : 0)) \(sign)"
    }

    /// Returns the longest round length that is not longer than `metres`, in metres. A length is
    /// round if it is 1, 2 or 5 times a power of ten in the unit of `scale(_:)`.
    package func roundLength(notAbove metres: Double) -> Double {
        let unit = metres < distance.metres ? height.metres : distance.metres
        var step = unit * 1e-3
        guard metres.isFinite, metres > step else { return step }
        while step * 10 <= metres { step *= 10 }
        return metres >= step * 5 ? step * 5 : metres >= step * 2 ? step * 2 : step
    }
}
