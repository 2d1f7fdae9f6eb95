// SPDX-License-Identifier: MIT
import CGPSAllocations
import Foundation
import GNSS
import GPSExercises
import GPSTestTraits
import Testing

/// The exercises of the fuzzers, with recorded failures and with random bytes.
@Suite(.timeLimit(.generous)) struct ExerciseTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/Crashes")

    static let files: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasPrefix(".") }.sorted()
    }()

    @Test(arguments: files)
    func `recorded failures do not fail again`(name: String) throws {
        let exercise = try #require(
            Exercise.all.first { name.hasPrefix($0.name + "-") }, "whose is it?")
        try exercise.run([UInt8](try Data(contentsOf: Self.folder.appending(path: name))))
    }

    @Test func `every exercise has recorded cases`() {
        for exercise in Exercise.all {
            #expect(Self.files.contains { $0.hasPrefix(exercise.name + "-") }, "\(exercise.name)")
        }
    }

    /// The inputs that each exercise gets in an ordinary run: some seconds' worth.
    private static let counts = [
        "framing": 60, "assembly": 1000, "writing": 3000, "messages": 600, "frames": 5000,
        "navigation": 1000, "corrections": 1000, "authentication": 10,
    ]

    @Test(arguments: Exercise.all.map(\.name))
    func `mutated inputs violate no guarantee`(name: String) throws {
        let exercise = try #require(Exercise.named(name))
        let count = Mutations.count(try #require(Self.counts[name]))
        print("\(name): \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: try Self.seeds(of: name), dictionary: "nmea.dict")
        for number in 0..<count {
            let input = inputs.next()
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try exercise.run(input)
            }
        }
    }

    /// Recorded failures, and the beginnings of receivers' recordings.
    private static func seeds(of name: String) throws -> [[UInt8]] {
        var seeds = try files.filter { $0.hasPrefix(name + "-") }.map {
            [UInt8](try Data(contentsOf: folder.appending(path: $0)))
        }
        guard name == "framing" else { return seeds }
        let receivers = folder.appending(path: "../Receivers").standardizedFileURL
        for file in try FileManager.default.contentsOfDirectory(atPath: receivers.path)
        where file.hasSuffix(".nmea") {
            let content = [UInt8](try Data(contentsOf: receivers.appending(path: file)))
            let sentences = content.drop { $0 != UInt8(ascii: "$") }
            seeds.append([0, 7, 64, 1, 0, 18, 5] + sentences.prefix(1000))
        }
        return seeds
    }
}

/// The memory in use does not grow with the input. `scripts/endurance/year` checks that optimised
/// code does not allocate at all.
@Suite(
    .timeLimit(.generous),
    .enabled(if: callocations_are_counted() != 0, "a sanitizer has a malloc of its own"))
struct AllocationTests {
    @Test(arguments: SteadyState.LineProtocol.allCases, [Int.max, 100, 1])
    func `a minute of a known receiver retains no memory`(
        line: SteadyState.LineProtocol, chunk: Int
    ) {
        var state = SteadyState(line, chunk: chunk)
        let minute = line.minute(12)
        let keptBefore = callocations_kept_by_this_thread()
        state.push(minute)
        let kept = callocations_kept_by_this_thread() - keptBefore
        #expect(state.fixes >= 49)
        #expect(kept == 0)
    }

    @Test func `allocated and retained memory is counted`() {
        let keptBefore = callocations_kept_by_this_thread()
        let before = callocations_of_this_thread()
        let array = [UInt8](repeating: 1, count: Int.random(in: 5000...6000))
        #expect(callocations_of_this_thread() > before)
        #expect(callocations_kept_by_this_thread() > keptBefore)
        #expect(array.count >= 5000)
    }
}

/// Ten fixes per second around critical dates.
@Suite(.timeLimit(.generous)) struct LongRunTests {
    /// Three minutes on either side of midnight, at 10 Hz.
    private static let epochs = 2 * 180 * 10

    static let days: [(Int, Int, Int)] = [
        (1999, 8, 21), (1999, 12, 31), (2000, 2, 28), (2000, 2, 29), (2016, 12, 31), (2018, 12, 31),
        (2019, 4, 6), (2026, 2, 28), (2038, 1, 18), (2038, 11, 20), (2099, 12, 31), (2100, 2, 28),
    ]

    @Test(arguments: days, [true, false])
    func `around midnight every epoch occurs once with the right date`(
        day: (Int, Int, Int), alwaysReportsDate: Bool
    ) throws {
        var plan = try #require(LongRun.Plan(year: day.0, month: day.1, day: day.2))
            .beginning(at: 86_400 - 180)
        plan.alwaysReportsDate = alwaysReportsDate
        try check(plan)
    }

    /// UTC was 13, later 18 seconds behind GPS. A change until 2038 does not affect the test.
    static let rollovers: [(day: (Int, Int, Int), secondsBefore: Int)] = [
        ((1999, 8, 21), 13), ((2019, 4, 6), 18), ((2038, 11, 20), 18),
    ]

    @Test(arguments: rollovers, [true, false])
    func `a week rollover of the receiver does not change the date`(
        rollover: (day: (Int, Int, Int), secondsBefore: Int), alwaysReportsDate: Bool
    ) throws {
        let (year, month, day) = rollover.day
        var plan = try #require(LongRun.Plan(year: year, month: month, day: day))
            .beginning(at: 86_400 - 180)
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        let time = try #require(
            TimeOfDay(hour: 23, minute: 59, second: 60 - rollover.secondsBefore))
        plan.rollover = (date, time)
        plan.alwaysReportsDate = alwaysReportsDate
        try check(plan)
    }

    private func check(_ plan: LongRun.Plan) throws {
        var run = LongRun(plan)
        try run.run(epochs: Self.epochs)
        try run.finish()
        #expect(run.fixes == Self.epochs)
    }
}
