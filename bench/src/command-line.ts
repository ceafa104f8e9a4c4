import { parseArgs } from 'node:util'

/** What the caller asked for. */
export interface BenchCommand {
  readonly action: 'run' | 'list' | 'help'
  /** Names or beginnings of names of benchmarks; none means all. */
  readonly only: readonly string[]
  readonly rounds?: number
  readonly sampleSeconds?: number
  /** Neither wait for a quiet machine nor repeat disturbed samples. */
  readonly ungated: boolean
  /** Folder whose `benchmarks.md` and `benchmarks.json` receive the results. */
  readonly record?: string
}

/** An invalid command line; the message says what is wrong with it. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}

export const usage = `Usage: npm run bench -- [names] [options]

Runs the named benchmarks (store also runs store-insert and store-claim), or all of them.

  --rounds <n>        turns of each contestant (default 3)
  --seconds <s>       wall seconds of a turn (default: each benchmark's own)
  --ungated           do not wait for a quiet machine, do not repeat disturbed turns
  --write             update docs/benchmarks.md and docs/benchmarks.json
  --docs <folder>     update the files of this folder instead; implies --write
  --list              show the benchmarks and their questions
  --help              show this text
`

const options = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  ungated: { type: 'boolean' },
  write: { type: 'boolean' },
  docs: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Reads the command line; `docsFolder` is where `--write` records. */
export function parseCommandLine(args: readonly string[], docsFolder: string): BenchCommand {
  const { values, positionals } = parse(args)
  const record = values.docs ?? (values.write ? docsFolder : undefined)
  return {
    action: values.help ? 'help' : values.list ? 'list' : 'run',
    only: positionals,
    ungated: values.ungated ?? false,
    ...(values.rounds !== undefined && { rounds: wholeNumber('--rounds', values.rounds) }),
    ...(values.seconds !== undefined && { sampleSeconds: positiveNumber('--seconds', values.seconds) }),
    ...(record !== undefined && { record }),
  }
}

/** The benchmarks asked for, or a usage problem for a name that means none. */
export function choose<Named extends { name: string }>(
  all: readonly Named[],
  only: readonly string[],
): readonly Named[] {
  const means = (name: string, asked: string) => name === asked || name.startsWith(`${asked}-`)
  const unknown = only.find((asked) => !all.some(({ name }) => means(name, asked)))
  if (unknown) throw new UsageProblem(`There is no benchmark "${unknown}"; --list shows them.`)
  return only.length === 0 ? all : all.filter(({ name }) => only.some((asked) => means(name, asked)))
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageProblem((error as Error).message, { cause: error })
  }
}

function wholeNumber(option: string, text: string): number {
  const value = positiveNumber(option, text)
  if (!Number.isInteger(value)) throw new UsageProblem(`${option} needs a whole number, not "${text}".`)
  return value
}

function positiveNumber(option: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    throw new UsageProblem(`${option} needs a positive number, not "${text}".`)
  return value
}
