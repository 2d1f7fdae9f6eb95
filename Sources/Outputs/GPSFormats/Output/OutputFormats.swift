// SPDX-License-Identifier: MIT

/// The output formats. Help, messages and tests use this list.
public enum OutputFormats {
    /// All formats, in the order shown by help.
    public static let all: [any OutputFormat.Type] = [
        GPSDFormat.self,
        GPXFormat.self,
        KMLFormat.self,
        TCXFormat.self,
        FITFormat.self,
        IGCFormat.self,
        GeoJSONFormat.self,
        GeoJSONLineFormat.self,
        GeoJSONSeqFormat.self,
        CSVFormat.self,
        NMEAFormat.self,
    ]

    /// The names of all formats.
    public static var names: [String] { all.map { $0.name } }

    /// Returns the format with a name; `nil` for an unknown name.
    public static func named(_ name: String) -> (any OutputFormat.Type)? {
        all.first { $0.name == name }
    }

    /// Returns the format for the extension of a path; `nil` for an unknown extension.
    public static func of(path: String) -> (any OutputFormat.Type)? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let end = parts.last?.lowercased() else { return nil }
        return all.first { $0.fileExtensions.contains(end) }
    }
}
