// SPDX-License-Identifier: MIT

/// The units of lengths and speeds.
package enum Units: Int, CaseIterable, Sendable {
    case metric, imperial, nautical

    /// The name on the command line and on the screen.
    package var name: String {
        switch self {
        case .metric: "metric"
        case .imperial: "imperial"
        case .nautical: "nautical"
        }
    }

    /// The unit of heights and accuracies in metres, and its symbol. Nautical charts use metres.
    package var height: (metres: Double, sign: String) {
        self == .imperial ? (0.3048, "ft") : (1, "m")
    }

    /// The unit of speeds in metres per second, and its symbol.
    package var speed: (metres: Double, sign: String) {
        switch self {
        case .metric: (1 / 3.6, "km/h")
        case .imperial: (0.44704, "mph")
        case .nautical: (1852 / 3600.0, "kn")
        }
    }

    /// The unit of long distances in metres, and its symbol.
    package var distance: (metres: Double, sign: String) {
        switch self {
        case .metric: (1000, "km")
        case .imperial: (1609.344, "mi")
        case .nautical: (1852, "nmi")
        }
    }

    /// Formats a length in the unit of heights.
    package func length(_ metres: Double, decimals: Int = 1) -> String {
        "\(String(metres / height.metres, decimals: decimals)) \(height.sign)"
    }

    /// Formats an accuracy in the unit of heights: 3 decimals below 0.05, 2 below 0.5, else 1.
    package func accuracy(_ metres: Double) -> String {
        let value = metres / height.metres
        return length(metres, decimals: value < 0.05 ? 3 : value < 0.5 ? 2 : 1)
    }

    /// Formats a speed in the unit of speeds.
    package func speed(_ metresPerSecond: Double) -> String {
        "\(String(metresPerSecond / speed.metres, decimals: 1)) \(speed.sign)"
    }

    /// Formats a vertical speed: feet per minute for imperial units, else metres per second.
    package func climb(_ metresPerSecond: Double) -> String {
        self == .imperial
            ? "\(String(metresPerSecond / 0.3048 * 60, decimals: 0)) ft/min"
            : "\(String(metresPerSecond, decimals: 1)) m/s"
    }

    /// Formats the length of a scale bar, in the unit of heights or of long distances.
    package func scale(_ metres: Double) -> String {
        let (unit, sign) = metres < distance.metres ? height : distance
        let value = metres / unit
        return "\(String(value, decimals: value < 10 && value != value.rounded() ? 1 : 0)) \(sign)"
    }

    /// The longest round length (1, 2 or 5 times a power of ten of a unit) up to `metres`, in metres.
    package func handyLength(notAbove metres: Double) -> Double {
        let unit = metres < distance.metres ? height.metres : distance.metres
        var step = unit * 1e-3
        guard metres.isFinite, metres > step else { return step }
        while step * 10 <= metres { step *= 10 }
        return metres >= step * 5 ? step * 5 : metres >= step * 2 ? step * 2 : step
    }
}
