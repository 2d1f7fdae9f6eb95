// SPDX-License-Identifier: MIT
import GNSS
import GNSSAuthentication
import GPSFiles
import GPSIO
import GPSReceivers
import Glibc

/// The options of commands that verify Galileo's signatures in the data of receivers.
struct AuthenticationArguments: Sendable {
    /// The folder of the keys; `nil` for that of `authentication --install`.
    private var folder: String?
    /// By how many seconds the system's clock may be wrong; `nil` for the kernel's estimate.
    private(set) var clockBound: Double?

    static let help = """
        If keys of Galileo are installed (gpsbridge authentication --install) and the receiver sends RXM-SFRBX, Galileo's \
        signatures are verified, and JSON has authentication, galileoSatellites, authenticatedSatellites and \
        failedSatellites. They prove the data of satellites, not the position: signals that somebody relays have right signatures. \
        A proof needs a clock that does not depend on receivers: the system's, if it is synchronised and not set \
        by this command; --clock-bound states that it is right within some seconds.
        """

    static let options: [CommandOption<AuthenticationArguments>] = [
        .init("galileo-keys", \.folder, .text("FOLDER"), "The folder with Galileo's keys"),
        .init(
            "clock-bound", \.clockBound, .number("SECONDS", 0...330, "seconds", called: "bound"),
            "This machine's clock does not follow a receiver, and is right within SECONDS"),
    ]

    /// Verifies signatures in the data of this process's receivers. `setsClock` is `true` if they set
    /// the system's clock.
    func activate(setsClock: Bool = false) {
        let folder =
            self.folder.map { GalileoKeyFolder($0, Libcrypto()) }
            ?? GalileoKeyFolder.default(Libcrypto())
        guard let folder, folder.exists else { return }
        let bound = clockBound
        let load: @Sendable () -> KeyRing = {
            if let missing = Libcrypto.missing {
                StandardError.print(
                    "Galileo's signatures are not verified, because \(missing) is missing: install "
                        + "libssl3", level: .warning)
                return KeyRing()
            }
            return folder.load { StandardError.print("ignored: \($0)", level: .warning) }
        }
        // The user that root becomes may not read root's folder.
        let early = geteuid() == 0 ? load() : nil
        ReceiverPool.shared.authentication = AuthenticationSettings {
            early ?? load()
        } clockBound: {
            bound ?? (setsClock ? nil : ClockSynchronization.maximumError)
        } store: { ring in
            do throws(DraftFile.Failure) {
                try folder.store(ring)
            } catch {
                let reason = IOError.reason(error.errno, writing: folder.path)
                StandardError.print(
                    "Galileo's new keys are not stored in \(folder.path): \(reason)",
                    level: .warning)
            }
        }
    }
}
