// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSReceivers

/// Configures each of several receivers to use its own pair of constellations.
struct DiverseConfiguration {
    private let members: [ConsensusSource.Member]
    /// The request for every receiver. The constellations are added for each receiver.
    private let request: ConfigurationRequest

    init(_ members: [ConsensusSource.Member], _ request: ConfigurationRequest) {
        (self.members, self.request) = (members, request)
    }

    /// Reads the settings of all receivers, prints which constellations each will use, then
    /// configures one receiver after the other.
    ///
    /// - Throws: An error before the first change if no `ConstellationPlan` suits these receivers,
    ///   and an `ExitStatus` if reading or configuring one of them failed.
    func run() async throws {
        var found: [ConstellationPlan.Member] = []
        for member in members {
            found.append(
                ConstellationPlan.Member(name: member.name, state: try await state(of: member)))
        }
        let plan = try ConstellationPlan(found)
        try ConfigureCommand.show(plan.lines)
        for warning in plan.warnings { StandardError.print("warning: \(warning)") }
        var hasFailed = false
        for (index, member) in members.enumerated() {
            var request = request
            request.configuration.constellations = plan.constellations(of: index)
            do {
                if try await carryOut(request, on: member) == nil { hasFailed = true }
            } catch {
                print("\(error)", of: member)
                hasFailed = true
            }
        }
        if hasFailed { throw ExitStatus.failed }
    }

    private func state(of member: ConsensusSource.Member) async throws -> ReceiverState {
        guard let report = try await carryOut(ConfigurationRequest(), on: member),
            let state = report.before
        else { throw ExitStatus.failed }
        return state
    }

    /// Configures a receiver and returns the report. If that fails, prints the error and returns
    /// `nil`.
    private func carryOut(
        _ request: ConfigurationRequest, on member: ConsensusSource.Member
    ) async throws -> ConfigurationReport? {
        let session = ReceiverPool.shared.session(for: member.source)
        let outcome = try await session.configure(request, journals: .default) { progress in
            // The plan has already named the chip.
            if case .identified = progress { return }
            guard let text = ConfigurationText.text(progress, of: request) else { return }
            print(text, of: member)
        }
        switch outcome {
        case .done(let report):
            for warning in report.warnings { print("warning: \(warning)", of: member) }
            if let saved = report.saved { print(saved.explanation, of: member) }
            return report
        case .failed(let error, let rollback):
            print("\(error)" + ConfigurationText.text(rollback), of: member)
            return nil
        }
    }

    private func print(_ text: String, of member: ConsensusSource.Member) {
        StandardError.print("\(member.name): \(text)")
    }
}
