// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import SimulatedDevices

/// A pool whose clock stands still until a test advances it.
final class SteppedPool {
    let clock = SteppedClock()
    let poller: Poller
    private let pool: ReceiverPool

    init() {
        poller = Poller(clock: clock)
        pool = ReceiverPool(poller: poller)
    }

    func stop() { poller.stop() }

    /// Advances the clock until a delegate receives the error `locationUnknown`.
    func advance(untilUnknownTo delegate: RecordingDelegate) async {
        while !delegate.calls.all.contains(.failure(.locationUnknown)), !Task.isCancelled {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    /// Creates a manager of a receiver that is read on the polling thread.
    func manager(of receiver: ScriptedReceiver, queue: DispatchQueue? = nil) -> LocationManager {
        manager(of: [receiver], queue: queue)
    }

    /// Creates a manager of receivers that are read on the polling thread.
    func manager(of receivers: [ScriptedReceiver], queue: DispatchQueue? = nil) -> LocationManager {
        let sources = receivers.map { receiver in
            var source = receiver.source
            source.poller = poller
            return source
        }
        return LocationManager(sources: sources, queue: queue, member: SessionMember(), pool: pool)
    }
}

extension ManualClock {
    /// Advances the clock at twenty times the speed until the task is cancelled. The polling thread
    /// advances it, and also reads, so that an epoch is read whole.
    func run() -> Task<Void, Never> {
        Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                self.advance(by: .seconds(1))
                _ = await Poller.shared.sleep(until: .now + .milliseconds(50))
            }
        }
    }
}
