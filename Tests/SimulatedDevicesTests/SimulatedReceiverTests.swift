// SPDX-License-Identifier: MIT
import GNSS
import SimulatedDevices
import Testing

struct SimulatedReceiverTests {
    @Test(arguments: [(0, 0.001), (-1, 0.001), (.nan, 0.001), (.infinity, 1000), (5, 5)])
    func `a rate is taken as the nearest that can be sent`(_ rate: Double, _ taken: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.rate = rate
        #expect(configuration.rate == taken)
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1 / taken)
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func `a personality that can do nothing still has epochs`(_ most: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality.maximumRate = most
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1000)
    }
}
