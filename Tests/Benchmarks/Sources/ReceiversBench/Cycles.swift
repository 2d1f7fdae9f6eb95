// SPDX-License-Identifier: MIT
import Delegation
import GPSBridge
import GPSIO
import GPSReceivers
import Glibc

/// A receiver that is unplugged in the middle of a sentence, and plugged in again as another tty.
struct Cycles {
    let count: Int

    func run() async throws {
        let link = "/tmp/gpsbridge-cycles.\(getpid())"
        let manager = LocationManager(source: SerialSource(link))
        manager.startUpdatingLocation()
        let start = ContinuousClock.now
        print("cycles  descriptors  memory (kB)")
        for number in 1...count {
            let (paused, changes) = (manager.didPauseLocationUpdates, manager.didUpdateLocations)
            let terminal = try PseudoTerminal(link: link)
            await terminal.waitForReader()
            for second in 0..<3 { await terminal.write(Self.epoch(3 * number + second)) }
            for await _ in changes { break }
            await terminal.write(Array("$GNRMC,1200".utf8))
            terminal.close()
            for await _ in paused { break }
            if number == 100 || number.isMultiple(of: max(1, count / 10)) {
                print("\(number)  \(Usage.descriptorCount)  \(Usage.residentKilobytes)")
            }
        }
        let each = start.duration(to: .now) / .seconds(1) / Double(count) * 1000
        print("\(Int(each * 10) / 10) ms each, from the plug over three epochs to the hang-up")
    }

    private static func epoch(_ second: Int) -> [UInt8] {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = two(second / 3600 % 24) + two(second / 60 % 60) + two(second % 60)
        return [
            "GPRMC,\(time),A,4812.0000,N,01621.6000,E,10.0,90.0,210326,,,A",
            "GPGGA,\(time),4812.0000,N,01621.6000,E,1,09,1.0,171.0,M,43.0,M,,",
        ]
        .flatMap { body in
            let sum = body.utf8.reduce(UInt8(0), ^)
            let digits = String(sum, radix: 16, uppercase: true)
            let checksum = digits.count == 1 ? "0" + digits : digits
            return Array("$\(body)*\(checksum)\r\n".utf8)
        }
    }
}
