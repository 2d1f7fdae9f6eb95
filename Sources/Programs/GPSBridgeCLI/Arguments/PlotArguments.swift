// SPDX-License-Identifier: MIT
import GNSS
import GPSViews

/// The command-line options of plots.
struct PlotArguments: Sendable {
    var file: PlotFile?
    var settings = PlotSettings()

    /// Whether `--units` was given.
    private(set) var hasUnits = false

    /// Whether any of the options was given.
    var isGiven: Bool { file != nil || hasUnits || settings.truth != nil }

    /// Returns the options. `units` is the help text of `--units`.
    static func options(units: String) -> [CommandOption<PlotArguments>] {
        [
            .init(
                "plot", value: "FILE",
                help: "At exit, draw all plots on one sheet (.png or .svg)"
            ) { $0.file = try PlotFile($1) }.once(),
            .init("units", value: "UNITS", choices: Units.allCases.map(\.name), help: units) {
                $0.settings.units = try Self.units(named: $1)
                $0.hasUnits = true
            },
            .init(
                "truth", value: "LAT,LON",
                help: "The receiver's true position, for the scatter plot"
            ) { $0.settings.truth = try CoordinateArgument.coordinate($1) },
        ]
    }

    private static func units(named name: String) throws -> Units {
        guard let units = Units.allCases.first(where: { $0.name == name }) else {
            throw UsageError.unknown("units", name, known: Units.allCases.map(\.name))
        }
        return units
    }

    /// Creates the collector of the plot's data; returns `nil` without `--plot`. More than `gap`
    /// seconds between two fixes interrupt a line; `nil` for the default.
    ///
    /// - Throws: `UsageError` if `--truth` is given without `--plot`; `CommandFailure` if the plot
    ///   cannot be written.
    func plotter(gap: Double? = nil) throws -> Plotter? {
        guard let file else {
            guard settings.truth != nil else { return nil }
            throw UsageError("--truth is for a plot: add --plot FILE")
        }
        var settings = settings
        if let gap { settings.gap = gap }
        return try Plotter(file, settings)
    }
}
