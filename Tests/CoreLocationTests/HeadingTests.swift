// SPDX-License-Identifier: MIT
import CoreLocation
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct HeadingTests {
    @Test func `headings are independent of locations and filtered by change`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        await receiver.waitForReader()
        // All at once: a pause between two sentences would end an epoch.
        let headings = [100, 101, 102, 110, 111, 112, 120, 121, 122]
        let text = headings.enumerated().map { second, heading in
            let epoch = String(decoding: ScriptedReceiver.epoch(second), as: UTF8.self)
            return Self.sentence("GNHDT,\(heading).0,T") + epoch
        }
        await receiver.send(text.joined())
        await delegate.calls.wait { $0 == .heading(110) }
        let delivered = delegate.calls.all.compactMap { call -> Double? in
            if case .heading(let heading) = call { heading } else { nil }
        }
        #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $1 - $0 >= 5 })
        #expect(delegate.locations.isEmpty && CLLocationManager.headingAvailable())
        let heading = try #require(manager.heading)
        // The variation is unknown; a negative accuracy would mean an invalid heading.
        #expect(heading.magneticHeading == heading.trueHeading && heading.headingAccuracy == 5)
        manager.stopUpdatingHeading()
        await receiver.waitUntilUnread()
    }

    // Each in a separate process, because the state of compasses is global.
    @Test func `headings are available initially`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            precondition(CLLocationManager.headingAvailable())
            let manager = CLLocationManager(source: .sentences([]))
            manager.startUpdatingLocation()
            manager.startUpdatingHeading()
            precondition(CLLocationManager.headingAvailable())
        }
    }

    @Test func `headings are unavailable after a timeout, until one arrives`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            let manager = CLLocationManager(source: receiver.source, headingTimeout: 0)
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingHeading()
            let failure = await delegate.failure()
            precondition(failure?.code == .headingFailure)
            precondition(!CLLocationManager.headingAvailable())
            await receiver.waitForReader()
            for second in 0..<4 {
                await receiver.send("\(HeadingTests.sentence("GNHDT,100.0,T"))")
                await receiver.sendEpoch(second)
            }
            await delegate.calls.wait { $0 == .heading(100) }
            precondition(CLLocationManager.headingAvailable())
            manager.stopUpdatingHeading()
            await receiver.waitUntilUnread()
        }
    }

    @Test func `a heading is archived`() throws {
        let heading = CLHeading(
            receiver: Heading(
                trueHeading: 90, magneticHeading: 86, headingAccuracy: 0.5,
                timestamp: Date(timeIntervalSince1970: 1_774_094_400)))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: heading, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLHeading.self, from: data)
        #expect(back?.magneticHeading == 86 && back?.trueHeading == 90)
        #expect(back?.headingAccuracy == 0.5 && back?.timestamp == heading.timestamp)
    }

    fileprivate static func sentence(_ body: String) -> String {
        let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
    }
}
