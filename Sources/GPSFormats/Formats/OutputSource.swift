// SPDX-License-Identifier: MIT
public import GNSS

/// The source of fixes, as written to files.
public struct OutputSource: Hashable, Sendable {
    /// The receiver's or the recording's name.
    public var name: String

    /// Whether they are live, recorded or simulated, if that is known.
    public var origin: DataOrigin

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source from the name under which it was opened. The folder of a recording is private
    /// and removed.
    public init(opened name: String, origin: DataOrigin) {
        self.init(name: Self.title(name, origin), origin: origin)
    }

    /// The names of recordings: without their folders, which are private, unless two would have the same; `nil` for
    /// other sources.
    package static func titles(of sources: [OutputSource]) -> [String?] {
        let names = sources.map { title($0.name, $0.origin) }
        return zip(sources, names).map { source, name in
            source.origin == .replay && names.count { $0 == name } == 1 ? name : nil
        }
    }

    /// The name as outputs show it.
    private static func title(_ name: String, _ origin: DataOrigin) -> String {
        let name = FileName.shown(name)
        guard origin == .replay else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Whether a fix of this source is simulated, or the receiver reports it as simulated.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// The name of a fix's origin in files.
    func originName(isSimulated: Bool) -> StaticString {
        if isSimulated { return "simulated" }
        return switch origin {
        case .live: "live"
        case .replay: "replay"
        case .simulated: "simulated"
        case .unknown: "unknown"
        }
    }
}
