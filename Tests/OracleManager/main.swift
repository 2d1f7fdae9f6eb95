// SPDX-License-Identifier: MIT
// A program that uses the library: prints each call of a location manager's delegate.
import Dispatch
import GPSBridge
import Glibc

final class Printer: LocationManagerDelegate, Sendable {
    private func send(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        for location in locations {
            send("location \(location), \(location.fix.mode), \(location.device)")
        }
    }

    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError) {
        send("failed \(error)")
    }

    func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        send("authorization \(manager.authorizationStatus)")
        // This way, the first call for the new delegate precedes all others.
        if manager.authorizationStatus == .notDetermined { manager.startUpdatingLocation() }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) { send("paused") }

    func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) { send("resumed") }
}

let path = CommandLine.arguments[1]
let manager = LocationManager(
    source: path.hasSuffix(".nmea") ? .file(path) : .serial(path))
if CommandLine.arguments.count > 2, let distance = Double(CommandLine.arguments[2]) {
    manager.distanceFilter = distance
}
let printer = Printer()
manager.delegate = printer

signal(SIGTERM, SIG_IGN)
let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
termination.setEventHandler {
    manager.stopUpdatingLocation()
    exit(0)
}
termination.resume()
dispatchMain()
