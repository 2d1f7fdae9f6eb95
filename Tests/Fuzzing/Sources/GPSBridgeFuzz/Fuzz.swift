// SPDX-License-Identifier: MIT
import FuzzedExercises
import Glibc

/// The exercise that `GPSBRIDGE_EXERCISE` names: libFuzzer has the command line for itself.
private let exercise: Exercise = {
    let name = getenv("GPSBRIDGE_EXERCISE").map { String(cString: $0) } ?? ""
    guard let exercise = Exercise.named(name) else {
        let names = Exercise.all.map(\.name).joined(separator: ", ")
        print("gpsbridge-fuzz: set GPSBRIDGE_EXERCISE to one of \(names)")
        exit(2)
    }
    return exercise
}()

/// Called by libFuzzer with what it has made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try exercise.run(Array(UnsafeBufferPointer(start: data, count: size)))
    } catch {
        fatalError("\(exercise.name): \(error)")
    }
    return 0
}
