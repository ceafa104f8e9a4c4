import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import type { CommandContext } from '../command-context.ts'
import type { InputFile } from './files.ts'

/** The result of one file, or its failure. */
export type Outcome<Result> =
  | { readonly input: InputFile; readonly result: Result }
  | { readonly input: InputFile; readonly problem: { readonly code: string; readonly message: string } }

/** How many files are processed at once: enough to keep the key and the disk busy, few enough to fit in memory. */
const AT_ONCE = 4

/** Processes every file, continues after failures, and logs each failure in one sentence as it happens. */
export async function eachFile<Result>(
  { progress, log }: CommandContext,
  inputs: readonly InputFile[],
  work: (input: InputFile) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = new Array(inputs.length)
  let next = 0
  let finished = 0
  const worker = async () => {
    for (let at = next++; at < inputs.length; at = next++) {
      const input = inputs[at]!
      const outcome = await attempt(input, work)
      outcomes[at] = outcome
      if ('problem' in outcome) {
        progress('')
        log(`${input.path}: ${outcome.problem.message}`)
      }
      if (inputs.length > 1) progress(`${++finished} of ${inputs.length}  ${input.relativePath}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, inputs.length) }, worker))
  progress('')
  return outcomes
}

async function attempt<Result>(
  input: InputFile,
  work: (input: InputFile) => Promise<Result>,
): Promise<Outcome<Result>> {
  try {
    return { input, result: await work(input) }
  } catch (error) {
    // Anything else is a bug and must not look like a bad file.
    if (!(error instanceof EngineError || error instanceof StartupProblem)) throw error
    const code = error instanceof EngineError ? error.code : 'file'
    return { input, problem: { code, message: error.message } }
  }
}
