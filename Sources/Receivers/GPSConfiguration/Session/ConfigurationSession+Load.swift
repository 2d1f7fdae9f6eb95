// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension ConfigurationSession {
    /// Throws `.lineTooSlow`, with the calculation, if the line cannot carry the requested
    /// messages.
    func checkLoad(_ dialect: any Dialect) throws(ConfigurationError) {
        let requested = request.configuration
        let before = dialect.state.configuration
        let after = before.merging(requested)
        guard
            requested.rate != nil || requested.messages != nil || requested.baudRate != nil
                || requested.constellations != nil,
            let line = try load(of: after, measuredWith: before.constellations, dialect)
        else { return }
        guard line.baudRate <= dialect.largestBaudRate else {
            throw dialect.error(
                .unsupported, "its line supports at most \(dialect.largestBaudRate) baud")
        }
        guard !line.load.fits(line.baudRate) else { return }
        // If the line is already overloaded, messages, a rate and a baud rate that increase neither
        // the data nor its share of the line are allowed, and so are all constellations. If a factory reset follows, the
        // current load is not used, because the reset changes it.
        var current = before
        current.constellations = after.constellations
        let isReset = request.resetsToFactory && !hasReset
        if !isReset, let now = try load(of: current, measuredWith: before.constellations, dialect),
            line.load.bitsPerSecond <= now.load.bitsPerSecond * 1.001,
            line.load.fraction(of: line.baudRate) <= now.load.fraction(of: now.baudRate) * 1.001
        {
            return
        }
        let sufficient = line.load.sufficientBaudRate(limit: dialect.largestBaudRate).flatMap {
            canSet(baudRate: $0, dialect) ? $0 : nil
        }
        throw dialect.error(
            .lineTooSlow, line.load.calculation(for: line.baudRate),
            remedy: sufficient.map { "use --baud \($0), or fewer messages" }
                ?? "use fewer messages, or a lower rate")
    }

    /// Throws `.unsupported` if the requested baud rate is not one of the common rates at which the
    /// program searches for receivers. After a restart, it would not find the receiver at an
    /// uncommon rate.
    func checkBaudRate(_ dialect: any Dialect) throws(ConfigurationError) {
        let common = BaudRate.common.map(\.rawValue).sorted()
        guard let baudRate = request.configuration.baudRate, baudRate != line.baudRate,
            !common.contains(baudRate)
        else { return }
        let nearest = [common.last { $0 < baudRate }, common.first { $0 > baudRate }]
        let options = nearest.compactMap { $0.map { "--baud \($0)" } }
        throw dialect.error(
            .unsupported,
            "\(baudRate) baud is an uncommon rate, at which gpsbridge would not find the receiver again",
            remedy: "use \(options.joined(separator: " or "))")
    }

    /// Returns whether the receiver has a command for a baud rate.
    private func canSet(baudRate: Int, _ dialect: any Dialect) -> Bool {
        var rateAlone = ReceiverConfiguration()
        rateAlone.baudRate = baudRate
        // An error means that the receiver has no such command.
        return (try? dialect.steps(to: rateAlone)) != nil
    }

    /// Returns a warning if the line cannot carry the messages that the receiver sends after the
    /// change, according to the message sizes measured since then; otherwise `nil`.
    func loadWarning(_ dialect: any Dialect) -> String? {
        var configuration = dialect.state.configuration
        // Some chips do not report their constellations.
        configuration.constellations =
            configuration.constellations ?? request.configuration.constellations
        // The same call succeeded when the plan was made.
        guard
            let line = try? load(
                of: configuration, measuredWith: configuration.constellations, dialect),
            !line.load.fits(line.baudRate)
        else { return nil }
        return "messages may be lost: " + line.load.calculation(for: line.baudRate)
    }

    /// Returns the load of the line with a configuration, and the configured baud rate; `nil` if
    /// either is not known, or if the line is not limited by a baud rate. Uses the sizes of the
    /// messages in the stream, which were measured with the constellations `measured`.
    private func load(
        of configuration: ReceiverConfiguration, measuredWith measured: Set<Constellation>?,
        _ dialect: any Dialect
    ) throws(ConfigurationError) -> (load: LineLoad, baudRate: Int)? {
        // A pseudo terminal or the chip's USB port does not limit the data to its baud rate.
        guard dialect.state.port?.hasPrefix("UART") ?? true, let lineRate = line.baudRate,
            let selection = configuration.messages, let rate = configuration.rate
        else { return nil }
        let load = LineLoad(
            messages: try dialect.messages(of: selection),
            constellations: globalCount(of: configuration.constellations), rate: rate,
            factors: LineLoad.factors(
                of: monitor.sizes, constellations: globalCount(of: measured)))
        return (load, configuration.baudRate ?? lineRate)
    }
}

/// Returns the number of constellations with worldwide coverage; four if it is not known.
private func globalCount(of constellations: Set<Constellation>?) -> Int {
    constellations?.intersection(ConstellationPlan.global).count ?? 4
}
