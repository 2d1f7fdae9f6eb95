// SPDX-License-Identifier: MIT
import Devices

/// What becomes of an epoch's bytes between the receiver and its reader.
///
/// Each fault draws from random numbers of its own, so that one more changes nothing of the others.
struct FaultyLine: Sendable {
    /// An epoch as it comes out.
    struct Output {
        var bytes: [UInt8]
        /// Seconds after the first epoch.
        var due: Double
        var plug: SimulatedEpoch.Plug
    }

    /// What is kept back during a stall, at most: a receiver's memory.
    private static let memory = 65_536

    private let faults: [Fault]
    private let baudRate: BaudRate
    private var randoms: [SeededGenerator]
    private var kept: [UInt8] = []
    private var gathered = 0
    private var lastDue = 0.0
    private var name: String?
    private var isPulled = false
    /// Bytes that nobody will ever read.
    private(set) var lostByteCount = 0

    init(_ script: FaultScript, seed: UInt64, baudRate: BaudRate) {
        faults = script.faults
        self.baudRate = baudRate
        randoms = faults.indices.map {
            SeededGenerator(seed: seed ^ 0xFA17 &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15)
        }
    }

    /// Sends an epoch that is due that many seconds after the first.
    mutating func send(_ wire: WireWriter, at seconds: Double) -> Output {
        let active = faults.indices.filter { faults[$0].isActive(at: seconds) }
        guard !active.isEmpty || !kept.isEmpty || isPulled else {
            // Nothing overtakes what came late.
            return output(wire.bytes, due: max(seconds, lastDue))
        }
        let spoilt = spoil(wire, active)
        return plug(active, time(active, spoilt, at: seconds))
    }

    private func output(_ bytes: [UInt8], due: Double) -> Output {
        Output(bytes: bytes, due: due, plug: .inserted(as: name))
    }

    // MARK: What is said

    private mutating func spoil(_ wire: WireWriter, _ active: [Int]) -> [UInt8] {
        var sentences = zip(wire.starts, wire.starts.dropFirst() + [wire.bytes.count])
            .map { Array(wire.bytes[$0..<$1]) }
        for index in active {
            SentenceFaults.apply(faults[index], &sentences, &randoms[index])
        }
        var bytes = Array(sentences.joined())
        for index in active {
            ByteFaults.apply(faults[index], &bytes, baudRate, &randoms[index])
        }
        return bytes
    }

    // MARK: When it comes

    private mutating func time(_ active: [Int], _ spoilt: [UInt8], at seconds: Double) -> Output {
        var result = output(spoilt, due: seconds)
        var isHeld = false
        for index in active {
            switch faults[index].kind {
            case .silence:
                lostByteCount += result.bytes.count
                result.bytes = []
            case .stall:
                isHeld = true
            case .burst(let count):
                gathered += 1
                isHeld = isHeld || gathered < count
            case .late(let most) where most.isFinite:
                if randoms[index].happens(faults[index].probability) {
                    result.due += max(0, most) * randoms[index].unit()
                }
            default: break
            }
        }
        kept += result.bytes
        if kept.count > Self.memory {
            lostByteCount += kept.count - Self.memory
            kept.removeFirst(kept.count - Self.memory)
        }
        if isHeld {
            result.bytes = []
        } else {
            (result.bytes, kept, gathered) = (kept, [], 0)
        }
        // One line: nothing overtakes.
        result.due = max(result.due, lastDue)
        lastDue = result.due
        return result
    }

    // MARK: Whether it is plugged in

    private mutating func plug(_ active: [Int], _ output: Output) -> Output {
        var output = output
        let unplugging = active.first { index in
            if case .unplug = faults[index].kind { true } else { false }
        }
        guard let unplugging else {
            isPulled = false
            output.plug = .inserted(as: name)
            return output
        }
        if !isPulled {
            // It is pulled in the middle of what it says.
            let said = randoms[unplugging].below(output.bytes.count)
            lostByteCount += output.bytes.count - said
            output.bytes.removeLast(output.bytes.count - said)
        } else {
            lostByteCount += output.bytes.count
            output.bytes = []
        }
        isPulled = true
        if case .unplug(let newName?) = faults[unplugging].kind { name = newName }
        output.plug = .pulled
        return output
    }
}
