import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { asOneLine } from '@chancela/signature-engine/text'
import type { CommandContext } from '../command-context.ts'
import { type InputFile, isPlainFile, sizeOf } from './files.ts'
import { progressLine } from './progress-line.ts'
import { DASH } from './standard-streams.ts'

/** The result of one file, or its failure. */
export type Outcome<Result> =
  | { readonly input: InputFile; readonly result: Result }
  | { readonly input: InputFile; readonly problem: { readonly code: string; readonly message: string } }

/** How many files are processed at once: enough to keep the key and the disk busy, few enough to fit in memory. */
const AT_ONCE = 4

/** Processes every file, continues after failures, and logs each failure in one sentence as it happens. */
export async function eachFile<Result>(
  { progress, log, clock }: CommandContext,
  inputs: readonly InputFile[],
  work: (input: InputFile, advance: (bytes: number) => void) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = new Array(inputs.length)
  const shown = await shownProgress(inputs, progress, () => clock().getTime())
  let next = 0
  let finished = 0
  const worker = async () => {
    for (let at = next++; at < inputs.length; at = next++) {
      const input = inputs[at]!
      const advance = shown.of(input)
      const outcome = await attempt(input, () => work(input, advance.by))
      outcomes[at] = outcome
      if ('problem' in outcome) {
        progress('')
        const name = input.path === DASH ? input.relativePath : input.path
        log(asOneLine(`${name}: ${outcome.problem.message}`))
      }
      advance.finished()
      shown.show(inputs.length > 1 ? `${++finished} of ${inputs.length}  ${asOneLine(input.relativePath)}` : '')
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, inputs.length) }, worker))
  progress('')
  return outcomes
}

async function attempt<Result>(input: InputFile, work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { input, result: await work() }
  } catch (error) {
    // Anything else is a bug and must not look like a bad file.
    if (!(error instanceof EngineError || error instanceof StartupProblem)) throw error
    const code = error instanceof EngineError ? error.code : 'file'
    return { input, problem: { code, message: error.message } }
  }
}

/** Content that is told as it is read. */
export async function* counted(
  content: AsyncIterable<Uint8Array>,
  advance: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    yield piece
    advance(piece.length)
  }
}

/** Milliseconds between two lines of progress. */
const REDRAW_MS = 100

/** The progress of all files by their bytes: each counts whole when it is finished, however often it was read. */
async function shownProgress(inputs: readonly InputFile[], progress: CommandContext['progress'], now: () => number) {
  const sizes = await Promise.all(inputs.map(({ path }) => sizeFor(path)))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const began = now()
  let done = 0
  let drawn = 0
  const show = (name: string) => progress(`${progressLine({ done, total, elapsed: now() - began })}  ${name}`)
  const of = (input: InputFile) => {
    const size = sizes[inputs.indexOf(input)] ?? 0
    let own = 0
    const set = (bytes: number) => {
      done += bytes - own
      own = bytes
    }
    const by = (bytes: number) => {
      // A signature reads its content twice: what is left of the file is what is left of the second time.
      set(Math.min(size, own + bytes / 2))
      if (now() - drawn < REDRAW_MS) return
      drawn = now()
      show(input.relativePath)
    }
    return { by, finished: () => set(size) }
  }
  return { of, show }
}

/** A pipe is not waited for to show how far it is. */
async function sizeFor(path: string): Promise<number> {
  if (path === DASH || !(await isPlainFile(path))) return 0
  return sizeOf(path)
}
