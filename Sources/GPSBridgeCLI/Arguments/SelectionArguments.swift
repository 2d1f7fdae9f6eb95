// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Options that select fixes. Commands that write fixes share them.
enum SelectionArguments {
    /// Returns all options. `selection` is the command's property that stores them.
    static func options<C>(
        _ selection: any WritableKeyPath<C, FixSelection> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init(
                "after", value: "TIME", formerly: "from",
                help: "Omit fixes before TIME, such as 2026-03-21T12:00:00Z or 2026-03-21"
            ) {
                $0[keyPath: selection].start = try TimeArgument.time($1)
            },
            .init(
                "before", value: "TIME", formerly: "to-time",
                help: "Omit fixes at TIME or later"
            ) {
                $0[keyPath: selection].end = try TimeArgument.time($1)
            },
            .init(
                "simplify", value: "METRES",
                help: "Omit fixes within this distance of a straight line"
            ) {
                $0[keyPath: selection].tolerance = try Number.of($1, "simplify", in: 0.001...1e6)
            },
        ] + thinning(selection) + discarding(selection)
    }

    /// Returns the options that omit fixes by their quality.
    private static func discarding<C>(
        _ selection: any WritableKeyPath<C, FixSelection> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init("max-hdop", value: "N", help: "Omit fixes with a larger or unknown HDOP") {
                $0[keyPath: selection].maximumHDOP = try Number.of($1, "max-hdop", in: 0...100)
            },
            .init("max-pdop", value: "N", help: "Omit fixes with a larger or unknown PDOP") {
                $0[keyPath: selection].maximumPDOP = try Number.of($1, "max-pdop", in: 0...100)
            },
            .init("min-satellites", value: "N", help: "Omit fixes that use fewer satellites") {
                $0[keyPath: selection].minimumSatellites = try Number.count($1, "min-satellites")
            },
            .init(
                "max-accuracy", value: "METRES",
                help: "Omit fixes with a larger or unknown horizontal accuracy"
            ) {
                $0[keyPath: selection].maximumAccuracy = try Number.of(
                    $1, "max-accuracy", in: 0...1e7)
            },
            .init(
                "quality", value: "NAMES", choices: qualities,
                help: "Keep only fixes of these qualities, such as differential,rtk_fixed"
            ) {
                $0[keyPath: selection].qualities = try Set(
                    $1.split(separator: ",", omittingEmptySubsequences: false).map { name in
                        guard let quality = FixQuality(name: String(name)) else {
                            throw UsageError.unknown("quality", String(name), known: qualities)
                        }
                        return quality
                    })
            },
        ]
    }

    /// The names of fix qualities, as in CSV and GeoJSON.
    private static let qualities = FixQuality.allCases.map { "\($0.name)" }

    /// Returns the options that can be applied while recording, because they depend only on the
    /// previous fix.
    static func thinning<C>(
        _ selection: any WritableKeyPath<C, FixSelection> & Sendable
    ) -> [CommandOption<C>] {
        [
            .init("every", value: "SECONDS", help: "Minimum time between written fixes") {
                $0[keyPath: selection].interval = try DurationArgument.seconds($1, "every")
            },
            .init(
                "distance", value: "METRES",
                help: "Minimum distance between written fixes"
            ) {
                $0[keyPath: selection].distance = try Number.of($1, "distance", in: 0.001...1e7)
            },
            .init(
                "gap", value: "SECONDS", help: "Begin a new segment after a gap of this length (60)"
            ) {
                $0[keyPath: selection].gap = try DurationArgument.seconds($1, "gap")
            },
        ]
    }
}
