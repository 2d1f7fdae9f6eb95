// SPDX-License-Identifier: MIT
import GPSExercises
import GPSServerExercises
import Glibc
import Synchronization

/// The exercise that `GPSBRIDGE_EXERCISE` names. The command line is reserved for libFuzzer.
private let exercise: (name: String, run: @Sendable ([UInt8]) throws -> Void) = {
    let name = getenv("GPSBRIDGE_EXERCISE").map { String(cString: $0) } ?? ""
    if name == RequestExercise.name {
        return (
            name,
            {
                // One input contains several requests.
                let (before, now) = requests.add(try RequestExercise.run($0), ordering: .relaxed)
                report(before, now)
            }
        )
    }
    if name == SignalKExercise.name { return (name, { try SignalKExercise.run($0) }) }
    if name == ValueExercise.name { return (name, { try ValueExercise.run($0) }) }
    guard let exercise = Exercise.named(name) else {
        let names =
            (Exercise.all.map(\.name) + [
                RequestExercise.name, SignalKExercise.name, ValueExercise.name,
            ])
            .joined(separator: ", ")
        print("gpsbridge-fuzz: set GPSBRIDGE_EXERCISE to one of \(names)")
        exit(2)
    }
    guard name == Exercise.authentication.name else { return (name, { try exercise.run($0) }) }
    return (
        name,
        {
            // Here, too.
            let before = Exercise.authenticationCount.load(ordering: .relaxed)
            try exercise.run($0)
            report(before, Exercise.authenticationCount.load(ordering: .relaxed))
        }
    )
}()

/// Prints the number of requests, or other executions, now and then.
private func report(_ before: Int, _ now: Int) {
    guard now / step > before / step else { return }
    print("stat::number_of_requests: \(now)")
    fflush(nil)
}

private let requests = Atomic(0)
/// The number of requests between two progress messages.
private let step = 10_000

/// Called by libFuzzer with each generated input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try exercise.run(Array(UnsafeBufferPointer(start: data, count: size)))
    } catch {
        fatalError("\(exercise.name): \(error)")
    }
    return 0
}
