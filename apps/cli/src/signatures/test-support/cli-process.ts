import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../../bin/chancela.mjs', import.meta.url))

/** The command line as a process of its own, as it was built before the tests. */
const commandLine = (args: readonly string[]): string[] => [process.execPath, main, ...args]

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: Buffer
  readonly err: string
}

interface RunningCli {
  readonly process: ChildProcess
  /** What standard error said so far. */
  readonly said: () => string
  readonly ended: Promise<Ended>
}

/** Starts a command with pipes, or under a terminal of its own (`script`, which mixes what it prints). */
export function startCli(args: readonly string[], { terminal = false, env = {} }: CliTerms = {}): RunningCli {
  const [program, ...rest] = terminal ? onTerminal(commandLine(args)) : commandLine(args)
  const child = spawn(program!, rest, { env: { ...process.env, TERM: 'xterm', ...env } })
  // A process that is ended in the middle leaves its input unread.
  child.stdin.on('error', () => undefined)
  const out: Buffer[] = []
  let err = ''
  child.stdout.on('data', (piece: Buffer) => out.push(piece))
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString()
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, out: Buffer.concat(out), err }))
  })
  return { process: child, said: () => err, ended }
}

interface CliTerms {
  readonly terminal?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Tells the peak of its resident memory when it ends. Where there is /proc from there: the maximum that the system
 * counts for a process begins with that of the process which started it.
 */
const MEASURED = `
  import { readFileSync } from 'node:fs'
  const kibibytes = () => {
    try {
      return /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    } catch {
      return process.resourceUsage().maxRSS
    }
  }
  process.on('exit', () => process.stderr.write('peak ' + kibibytes() + '\\n'))`

/** The most memory that a command had, in bytes; it must succeed. */
export async function peakMemory(args: readonly string[], input: Readable = Readable.from([])): Promise<number> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(MEASURED)}`
  const { process: child, ended } = startCli(args, { env: { NODE_OPTIONS } })
  input.pipe(child.stdin!)
  const { code, err } = await ended
  const [, kibibytes] = /^peak (\d+)$/m.exec(err) ?? []
  if (code !== 0 || kibibytes === undefined) throw new Error(`${args[0]} ended with ${code}: ${err}`)
  return Number(kibibytes) * 1024
}

/** Runs a command to its end; `input` is its standard input. */
export async function runProcess(
  args: readonly string[],
  { input, ...terms }: CliTerms & { readonly input?: Uint8Array } = {},
): Promise<Ended> {
  const { process: child, ended } = startCli(args, terms)
  child.stdin!.end(input)
  return ended
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const onTerminal = (command: readonly string[]): string[] => [
  'script',
  '-qefc',
  command.map(quoted).join(' '),
  '/dev/null',
]

export const makePipe = (path: string): void => void execFileSync('mkfifo', [path])
