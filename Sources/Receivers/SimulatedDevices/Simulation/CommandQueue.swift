// SPDX-License-Identifier: MIT

/// Passes commands from outputs to a simulated receiver, and keeps its answers until they are due.
struct CommandQueue {
    private var answers: [SimulatedReceiver.Answer] = []

    /// The time of the next answer in seconds after the first epoch; infinity if there is none.
    var due: Double { answers.map(\.due).min() ?? .infinity }

    /// Takes the bytes that programs have written to the outputs, and passes them to the receiver.
    /// Returns whether there were any bytes.
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
        return isFound
    }

    /// Moves the answers that are due by a time to the transmit queue, in the order of the
    /// commands.
    mutating func moveAnswers(to queue: inout TransmitQueue, until seconds: Double) {
        guard !answers.isEmpty else { return }
        for answer in answers where answer.due <= seconds {
            queue.add(answer.bytes, due: answer.due)
        }
        answers.removeAll { $0.due <= seconds }
    }
}
