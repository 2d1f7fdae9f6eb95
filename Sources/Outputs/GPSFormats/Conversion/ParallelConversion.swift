// SPDX-License-Identifier: MIT

/// Converts pieces of recordings in advance on other processor cores. The output is identical to
/// the output of one core.
///
/// The conversion of a sentence depends on earlier sentences: on the date, the satellite lists and
/// the sentence that ends a cycle. Therefore, a piece is converted from a guessed state, which is
/// calculated from the last known state and the bytes before the piece. When the caller reaches the
/// piece, the guess is compared with the state after the previous piece. If they differ, the caller
/// converts the bytes itself.
///
/// At first, and after a wrong guess, the caller converts `pause` bytes itself. Then a guess is
/// compared with the state, but not used. Each wrong guess quadruples the pause, and each correct
/// one halves it. When the pause reaches its minimum, pieces are converted from guesses again.
/// Therefore, even a recording with many wrong guesses takes no longer than on one core. The state
/// at the beginning of a recording is always known.
package struct ParallelConversion: ~Copyable {
    private typealias Position = ConversionPiece.Position

    /// Returns the piece at a position, with `count` bytes or the rest of the recording. Returns
    /// `nil` at the end, or if the recording cannot be split.
    package typealias Cutter = (_ position: ConversionPiece.Position, _ count: Int) ->
        ConversionPiece?

    private struct Work {
        let piece: ConversionPiece
        /// The guessed state at the beginning of the piece; `nil` if the state is known.
        let guess: Task<ConversionState, Never>?
        /// The conversion; `nil` if the guess is only compared.
        let task: Task<ConvertedPiece?, Never>?
    }

    private let jobs: Int
    private let pieceSize: Int
    private let cut: Cutter
    /// The pieces in progress, in order.
    private var work: [Work] = []
    /// The result that was returned last.
    private var current: ConvertedPiece?
    /// Results that are no longer needed, whose memory is reused.
    private var spare: [ConvertedPiece] = []
    /// Whether pieces are converted from guesses. Otherwise guesses are only compared.
    private var isTrusted = false
    private let minimumPause: Int
    private var pause: Int
    /// The number of bytes before a piece from which the state at its beginning is guessed.
    private var warmUp: Int
    private let maximumWarmUp: Int
    /// The number of wrong guesses.
    package private(set) var missCount = 0

    /// Returns whether the output of a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        format is any Equatable.Type
    }

    /// Creates a conversion with `jobs` tasks and pieces of `pieceSize` bytes. A guess uses
    /// `warmUp` bytes; after wrong guesses, up to 8 times as many.
    package init(jobs: Int, pieceSize: Int, warmUp: Int, cut: @escaping Cutter) {
        self.jobs = jobs
        self.pieceSize = pieceSize
        self.warmUp = warmUp
        self.cut = cut
        maximumWarmUp = 8 * warmUp
        minimumPause = pieceSize / 8
        pause = minimumPause
    }

    deinit { for work in work { work.task?.cancel() } }

    /// Returns the result of the piece that begins at a position. Returns `nil` if its conversion
    /// began from a state other than the current one of `conversion`, has not begun or has failed.
    /// The caller must then convert the bytes from this position itself.
    ///
    /// The result is valid until the next call. Throws `CancellationError` if the task is
    /// cancelled.
    package mutating func piece(
        at position: ConversionPiece.Position, after conversion: borrowing Conversion
    ) async throws -> ConvertedPiece? {
        try Task.checkCancellation()
        if let piece = current.take() { spare.append(piece) }
        // The caller may have converted bytes beyond the position of a guess.
        if let first = work.first, first.piece.position < position { cancel() }
        if work.isEmpty { start(at: position, after: conversion) }
        guard let oldest = work.first, oldest.piece.position == position else { return nil }
        if let guess = oldest.guess {
            guard await guess.value.conversion.hasSameState(with: conversion) else {
                noteMiss()
                return nil
            }
            if !oldest.piece.isFirst { noteHit() }
        }
        if oldest.task == nil { work.removeFirst() }
        start(at: position, after: conversion)
        guard let first = work.first, first.piece.position == position, let task = first.task else {
            return nil
        }
        work.removeFirst()
        current = await task.value
        if current == nil { noteMiss() }
        return current
    }

    /// Starts tasks for as many pieces as possible. If none can be started, because guesses are not
    /// trusted, starts a task that guesses the state after the next `pause` bytes.
    private mutating func start(at position: Position, after conversion: borrowing Conversion) {
        var byteCount = work.reduce(0) { $0 + $1.piece.count }
        guard byteCount <= jobs * pieceSize else { return }
        let (state, warmUp) = (ConversionState(conversion.copy()), warmUp)
        var next = work.last?.piece.end ?? position
        // Up to 8 pieces are started per core, because short pieces take less time than starting
        // the next one.
        while byteCount <= jobs * pieceSize, work.count < 8 * jobs, let piece = cut(next, pieceSize)
        {
            // A piece whose state at the beginning is known is converted here only if another piece
            // can be converted at the same time.
            let guessed = work.isEmpty ? cut(piece.end, pieceSize) : piece
            guard let guessed, isTrusted || guessed.isFirst else { break }
            let guess = work.isEmpty ? nil : Self.guess(piece, from: state, warmUp)
            let converted = spare.popLast() ?? ConvertedPiece()
            let task = Task(executorPreference: globalConcurrentExecutor) {
                converted.convert(piece, from: await guess?.value ?? state) ? converted : nil
            }
            work.append(Work(piece: piece, guess: guess, task: task))
            byteCount += piece.count
            next = piece.end
        }
        if work.isEmpty, let piece = cut(Position(position.recording, position.offset + pause), 1) {
            let guess = Self.guess(piece, from: state, warmUp)
            work.append(Work(piece: piece, guess: guess, task: nil))
        }
    }

    private static func guess(
        _ piece: ConversionPiece, from state: ConversionState, _ warmUp: Int
    ) -> Task<ConversionState, Never> {
        Task(executorPreference: globalConcurrentExecutor) {
            piece.guessedStart(from: state, warmUp: warmUp)
        }
    }

    private mutating func noteHit() {
        pause = max(minimumPause, pause / 2)
        isTrusted = isTrusted || pause == minimumPause
    }

    private mutating func noteMiss() {
        missCount += 1
        isTrusted = false
        // The limit is longer than any recording.
        pause = min(4 * pause, 1 << 40)
        warmUp = min(4 * warmUp, maximumWarmUp)
        cancel()
    }

    /// Cancels the work in progress.
    private mutating func cancel() {
        for work in work {
            work.guess?.cancel()
            work.task?.cancel()
        }
        work.removeAll()
    }
}
