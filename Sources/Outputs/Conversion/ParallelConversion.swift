// SPDX-License-Identifier: MIT

/// Converts pieces of recordings on several processor cores, to the very bytes that one would give.
///
/// What a sentence means depends on those before it: the date, the lists of satellites, where the cycle
/// ends. So a piece is converted from a guess: the last state that is known for certain, and what comes
/// right before the piece. When the piece before it is done, its end is compared with what had been
/// guessed; where they differ, the piece is converted again.
package struct ParallelConversion: ~Copyable {
    /// After so many wrong guesses in a row pieces are converted one after the other.
    private static let mostMisses = 5
    /// For so many pieces, and for twice as many each time that it is no better afterwards.
    private static let (leastPause, mostPause) = (16, 1024)

    private struct Work {
        let piece: ConversionPiece
        /// Whether it was begun from the state behind the piece before it.
        let isCertain: Bool
        let task: Task<ConvertedPiece, Never>
    }

    /// How many pieces are under way at the most, and of how many bytes; one is in any case.
    private let (mostPieces, mostBytes): (Int, Int)
    /// How many bytes before a piece its beginning is guessed from; more after each wrong guess.
    private var warmUp: Int
    private let mostWarmUp: Int
    /// The state behind the last piece that is certain.
    private var state: ConversionState
    private var work: [Work] = []
    /// Outputs that have been written, for the next pieces.
    private var outputs: [PieceOutput] = []
    private var missesInARow = 0
    private var pause = Self.leastPause
    /// How many pieces are to come before it is guessed again.
    private var pauseCount = 0
    /// How many pieces had to be converted twice.
    package private(set) var missCount = 0
    /// How many bytes have been converted.
    private var byteCount = 0

    /// Whether a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        let conversion = Conversion(to: format)
        return conversion.isInterchangeable(with: conversion)
    }

    /// Continues a conversion, to a format that is supported, on `jobs` cores; guesses from `warmUp` bytes, or up to 16
    /// times as many, and has pieces of `mostBytes` under way.
    package init(
        continuing conversion: consuming Conversion, warmUp: Int, jobs: Int, mostBytes: Int
    ) {
        // Short ones are over before the next could be begun.
        mostPieces = 8 * jobs
        self.mostBytes = mostBytes
        self.warmUp = warmUp
        mostWarmUp = 16 * warmUp
        state = ConversionState(conversion)
    }

    /// How many fixes have been written.
    package private(set) var fixCount = 0

    /// The conversion behind the last piece that has been handed over; it does not count the fixes of all of them.
    package var conversion: Conversion { state.conversion.copy() }

    /// Starts converting the next piece; hands over what is finished where enough pieces are under way.
    ///
    /// Throws what `handle` or the reading of a piece throws, which has been handed over as far as it was
    /// read, and `CancellationError` where the task is cancelled.
    package mutating func push(
        _ piece: ConversionPiece, _ handle: (borrowing PieceResult) throws -> Void
    ) async throws {
        // With the first piece begins what can be guessed from.
        guard byteCount > 0, pauseCount == 0 else {
            pauseCount = max(0, pauseCount - 1)
            try await finish(handle)
            return try accept(ConvertedPiece(piece, from: state, into: takeOutput()), handle)
        }
        while !work.isEmpty, !hasRoom(for: piece) { try await finishOldest(handle) }
        start(piece)
    }

    private func hasRoom(for piece: ConversionPiece) -> Bool {
        let byteCount = work.reduce(piece.range.count) { $0 + $1.piece.range.count }
        return work.count < mostPieces && byteCount <= mostBytes
    }

    /// Waits for all pieces that are under way.
    package mutating func finish(_ handle: (borrowing PieceResult) throws -> Void) async throws {
        while !work.isEmpty { try await finishOldest(handle) }
    }

    /// Gives up what is under way.
    package mutating func cancel() {
        for work in work { work.task.cancel() }
        work.removeAll()
    }

    private mutating func start(_ piece: ConversionPiece) {
        // Where none is under way the state behind the piece before is known.
        let isCertain = work.isEmpty
        let (state, warmUp, output) = (state, warmUp, takeOutput())
        let task = Task(executorPreference: globalConcurrentExecutor) {
            isCertain
                ? ConvertedPiece(piece, from: state, into: output)
                : ConvertedPiece(piece, guessingFrom: state, warmUp: warmUp, into: output)
        }
        work.append(Work(piece: piece, isCertain: isCertain, task: task))
    }

    private mutating func takeOutput() -> PieceOutput { outputs.popLast() ?? PieceOutput() }

    private mutating func finishOldest(
        _ handle: (borrowing PieceResult) throws -> Void
    ) async throws {
        let (piece, isCertain) = (work[0].piece, work[0].isCertain)
        let converted = await work[0].task.value
        work.removeFirst()
        guard isCertain || converted.follows(state, piece) else {
            noteMiss()
            // Those under way have been guessed from the same state, which has proved wrong.
            let waiting = work
            cancel()
            let again = ConvertedPiece(piece, from: state, into: converted.result.output)
            try accept(again, handle)
            for work in waiting { start(work.piece) }
            return
        }
        if !isCertain { (missesInARow, pause) = (0, Self.leastPause) }
        try accept(converted, handle)
    }

    private mutating func noteMiss() {
        missCount += 1
        missesInARow += 1
        warmUp = min(2 * warmUp, mostWarmUp)
        guard missesInARow == Self.mostMisses else { return }
        (missesInARow, pauseCount) = (0, pause)
        pause = min(2 * pause, Self.mostPause)
    }

    private mutating func accept(
        _ converted: ConvertedPiece, _ handle: (borrowing PieceResult) throws -> Void
    ) throws {
        state = converted.end
        fixCount += converted.result.fixCount
        byteCount += converted.result.byteCount
        try handle(converted.result)
        outputs.append(converted.result.output)
        if let failure = converted.result.failure { throw failure }
        try Task.checkCancellation()
    }
}
