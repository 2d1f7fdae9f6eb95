// SPDX-License-Identifier: MIT

/// The commands that programs write to a simulated receiver, and its answers until they are due.
struct CommandQueue {
    /// The simulated seconds between two looks at what programs have written; `nil` for once with
    /// each event.
    private let idle: Double?
    private let busy: Double?
    private var isBusyUntil = -Double.infinity
    private var answers: [SimulatedReceiver.Answer] = []

    init(_ pace: Pace) {
        idle = pace.inputInterval
        // A program that has just written waits for the answer, and will write again.
        busy = idle.map { $0 / 10 }
    }

    /// The time of the next look, or of an answer, in seconds after the first epoch.
    func due(_ receiver: SimulatedReceiver, _ clock: any SimulationClock) -> Double {
        guard receiver.understandsCommands else { return .infinity }
        let next = answers.map(\.due).min() ?? .infinity
        guard let idle, let busy else { return next }
        let now = clock.elapsed
        return min(next, now + (now < isBusyUntil ? busy : idle))
    }

    /// Passes on what programs have written; returns whether there was something.
    mutating func answer(
        _ outputs: [any SimulationOutput], _ receiver: inout SimulatedReceiver, at seconds: Double
    ) -> Bool {
        guard receiver.understandsCommands else { return false }
        var isFound = false
        for output in outputs {
            let bytes = output.takeInput()
            guard !bytes.isEmpty else { continue }
            isFound = true
            answers += receiver.receive(bytes, at: seconds)
        }
        if isFound, let idle { isBusyUntil = seconds + 20 * idle }
        return isFound
    }

    /// Moves the answers that are due to the line, in the order of the commands.
    mutating func moveAnswers(to queue: inout TransmitQueue, until seconds: Double) {
        guard !answers.isEmpty else { return }
        for answer in answers where answer.due <= seconds {
            queue.add(answer.bytes, due: answer.due)
        }
        answers.removeAll { $0.due <= seconds }
    }
}
