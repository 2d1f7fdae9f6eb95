// SPDX-License-Identifier: MIT
import Delegation
import GPSBridge
import GPSReceivers
import Synchronization

/// One manager of many receivers.
struct Fleet {
    let count: Int
    let rate: Int
    let seconds: Int
    let isFlooded: Bool

    private struct Tally {
        var counts: [String: Int] = [:]
        var total = 0
        /// The longest time between two locations of a receiver.
        var longest = Duration.zero
        var last: [String: ContinuousClock.Instant] = [:]
    }

    func run() async throws {
        let epochs = rate * seconds
        let sender = Child(["send", "\(count)", "\(rate)", "\(epochs)"])
        let paths = sender.paths()
        let before = Usage.residentKilobytes
        let manager = LocationManager(sources: paths.map { SerialSource($0) })
        let tally = Mutex(Tally())
        let subscription = manager.events.didUpdateLocations.observe { locations in
            tally.withLock { tally in
                for location in locations {
                    let now = ContinuousClock.now
                    tally.counts[location.device, default: 0] += 1
                    tally.total += 1
                    if let last = tally.last[location.device] {
                        tally.longest = max(tally.longest, last.duration(to: now))
                    }
                    tally.last[location.device] = now
                }
            }
        }
        defer { subscription.dispose() }
        let flood = isFlooded ? Child(["noise"]) : nil
        let flooded = LocationManager(
            source: SerialSource(flood?.paths().first ?? "/none"))
        let isReported = Mutex(false)
        let errors = flooded.events.didFailWithError.observe { error in
            if error.cause?.code == .flooded { isReported.withLock { $0 = true } }
        }
        defer { errors.dispose() }
        if isFlooded { flooded.startUpdatingLocation() }
        let (start, used) = (ContinuousClock.now, Usage.processorTime)
        manager.startUpdatingLocation()
        let lost = sender.line() ?? "?"
        let elapsed = start.duration(to: .now) / .seconds(1)
        let load = (Usage.processorTime - used) / elapsed * 100
        let resident = Usage.residentKilobytes
        manager.stopUpdatingLocation()
        flooded.stopUpdatingLocation()
        let result = tally.withLock { $0 }
        let incomplete = paths.count { result.counts[$0, default: 0] < epochs }
        print(
            """
            \(count) receivers at \(rate) Hz for \(seconds) s\(isFlooded ? ", beside a flood of noise" : "")
              \(result.total) of \(count * epochs) epochs, \(incomplete) receivers incomplete, \
            \(lost) bytes lost by the senders
              the longest time between two of a receiver: \(result.longest)
              the receivers' share of the memory: \((resident - before) / 1024) MB
            processor, \(count) receivers at \(rate) Hz:   \(Int(load)) % of a core
            resident memory, \(count) receivers at \(rate) Hz:   \(resident / 1024) MB
            """)
        if isFlooded {
            print("  the flood was \(isReported.withLock { $0 } ? "reported" : "NOT reported")")
        }
    }
}
