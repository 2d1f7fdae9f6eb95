// SPDX-License-Identifier: MIT
import GNSS

/// An error that ends the process with an exit status. The failure has already been reported to the
/// user.
package struct ExitStatus: Error {
    /// The process's exit status.
    package let code: CInt

    /// Creates an error with an exit status.
    package init(code: CInt) {
        self.code = code
    }

    /// A failure that has already been reported to the user.
    package static let failed = ExitStatus(code: 1)

    /// No valid sentence was received, no fix was written or recorded, or there were fewer fixes
    /// than requested.
    package static let nothingFound = ExitStatus(code: 3)

    /// The table of exit statuses in help and manual pages.
    package static let meanings: [(status: String, meaning: String)] = [
        ("0", "success, including when `monitor` or `record` is interrupted"),
        ("1", "failed"),
        ("2", "usage error"),
        ("3", "no valid sentence, nothing to write, or fewer fixes than --count"),
        ("10 to 31", "what `doctor` found: see `gpsbridge help doctor`"),
        (
            "129, 130, 131, 143",
            "a signal ended `convert`, `doctor`, or `configure` with --dump or a change"
        ),
    ]

    /// The table as text, one status per line.
    package static var table: String {
        "Exit status:\n" + TwoColumns.text(meanings.map { ($0.status, $0.meaning) })
    }
}

extension ThrowingTaskGroup where Failure == any Error {
    /// Cancels the tasks and waits for their end. Throws the `ExitStatus` that the first failing task
    /// throws; otherwise, `CancellationError`.
    package mutating func endCancelled() async throws {
        cancelAll()
        do {
            try await waitForAll()
        } catch let status as ExitStatus {
            throw status
        } catch {}
        throw CancellationError()
    }
}
