import { StartupProblem } from '@chancela/service-kernel/errors'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { CommandContext } from '../command-context.ts'
import { eachFile } from './each-file.ts'
import { judgementOf, type TrustOptions, timestampsOf } from './engine-tools.ts'
import { digestOfFile, inputFiles, readInput, writeOutput } from './files.ts'
import { type ExtensionTerms, extend, type LevelAbove } from './formats.ts'
import { extendedName, timestampName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced, type Produced } from './produced-files.ts'

export interface TimestampCommandOptions extends TrustOptions {
  readonly out?: string
  readonly tsa?: readonly string[]
  /** Extends the signatures of the file to this level; absent: writes a timestamp of the file, beside it. */
  readonly level?: LevelAbove
  readonly content?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** `chancela timestamp FILE --tsa URL [--level LEVEL]` */
export async function timestampCommand(
  context: CommandContext,
  paths: readonly string[],
  options: TimestampCommandOptions,
): Promise<void> {
  const { level } = options
  const inputs = await inputFiles(paths)
  const outputOf = await outputFor(paths, options.out, (path) =>
    level ? extendedName(path, level) : timestampName(path),
  )
  const timestamps = timestampsOf(options.tsa)
  if (!timestamps) throw new StartupProblem('The time-stamping authority is missing: give --tsa URL.')
  const work = level ? await extending(context, level, timestamps, options) : stamping(timestamps, options)
  const outcomes = await eachFile(context, inputs, (input) => work(input.path, outputOf(input)))
  logProduced(context, outcomes, { json: options.json, done: level ? 'extended' : 'stamped' })
}

type Work = (path: string, output: string) => Promise<Produced>

function stamping(timestamps: TimestampClient, options: TimestampCommandOptions): Work {
  return async (path, output) => {
    const { token, time } = await timestamps.stampDigest('sha256', await digestOfFile('sha256', path))
    await writeOutput(output, token, options)
    return { output, time: time.toISOString() }
  }
}

async function extending(
  context: CommandContext,
  level: LevelAbove,
  timestamps: TimestampClient,
  options: TimestampCommandOptions,
): Promise<Work> {
  const { judge } = await judgementOf(options)
  const content = options.content === undefined ? undefined : await readInput(options.content)
  return async (path, output) => {
    const document = await readInput(path)
    const terms: ExtensionTerms = { now: context.clock(), level, judge, timestamps, ...(content && { content }) }
    const extended = await extend(document, terms, path)
    await writeOutput(output, extended, options)
    return { output, level }
  }
}
