import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import { detectFormat } from '@chancela/signature-engine/verify'
import type { CommandContext } from '../command-context.ts'
import { eachFile } from './each-file.ts'
import { judgementOf, type TrustOptions, timestampsOf } from './engine-tools.ts'
import { UsageProblem } from './exit-codes.ts'
import {
  digestOfFile,
  firstBytes,
  inputFiles,
  isPlainFile,
  produceOutput,
  readInput,
  sizeOf,
  writeOutput,
} from './files.ts'
import { type ExtensionTerms, extend, extendLargePades, LARGE_BYTES, type LevelAbove } from './formats.ts'
import { extendedName, timestampName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced, type Produced } from './produced-files.ts'
import { type PdfPasswordOptions, pdfPasswordOf } from './secrets.ts'
import { DASH, requireBinaryOutput } from './standard-streams.ts'

export interface TimestampCommandOptions extends TrustOptions, PdfPasswordOptions {
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
  if (inputs.some((input) => outputOf(input) === DASH)) requireBinaryOutput()
  const timestamps = timestampsOf(options.tsa)
  if (!timestamps) throw new UsageProblem('The time-stamping authority is missing: give --tsa URL.')
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
  const password = await pdfPasswordOf(context, options)
  const more = { ...(content && { content }), ...password }
  return async (path, output) => {
    const terms: ExtensionTerms = { now: context.clock(), level, judge, timestamps, ...more }
    if (output !== DASH && (await isLargePdf(path)))
      await produceOutput(output, (temporary) => extendLargePades(path, temporary, terms), options)
    else await writeOutput(output, await extend(await readInput(path), terms, path), options)
    return { output, level }
  }
}

const isLargePdf = async (path: string): Promise<boolean> =>
  (await isPlainFile(path)) &&
  (await sizeOf(path)) >= LARGE_BYTES &&
  detectFormat(await firstBytes(path), { name: path }) === 'PAdES'
