// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers

/// Files with gpsbridge's udev rules, wherever udev looks for rules.
enum InstalledRules {
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]

    /// Their paths; the same file of a merged /usr appears once.
    static func find() -> [String] {
        var names: Set<String> = []
        return folders.flatMap { folder in
            Folder.names(in: folder).sorted()
                .filter { $0.hasSuffix("gpsbridge.rules") && names.insert($0).inserted }
                .map { "\(folder)/\($0)" }
        }
    }

    /// Whether rules in a file of this name are read when they can do something: udev sorts by name,
    /// names devices in 60-serial.rules, and gives access in 73-seat-late.rules.
    static func isInTime(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name > "60-serial.rules" && name < "73-seat-late.rules"
    }
}
