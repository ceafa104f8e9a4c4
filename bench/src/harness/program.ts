import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { MemoryAtRest, MemoryQuestion } from './program-side.ts'

/** A program of the bench that runs in a process of its own and has said that it is ready. */
export interface Program<Message> {
  readonly pid: number
  /** Its message: an address or a result. */
  readonly message: Message
  /** Its memory when idle: after the given time and garbage collections. */
  memoryAtRest(idleMs: number): Promise<MemoryAtRest>
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly args?: readonly string[]
  /** Core it may use; ignored where the system has no `taskset` or one core only. */
  readonly core?: number
  /** Options for Node itself, such as `--expose-gc`. */
  readonly nodeOptions?: readonly string[]
}

/** True when this code runs as TypeScript source, under tsx or vitest. */
export const runsFromSource = import.meta.url.endsWith('.ts')

/** Starts a program and waits for its first message. The address names its source: `new URL('./x.ts', import.meta.url)`. */
export async function startProgram<Message>(source: URL, options: ProgramOptions = {}): Promise<Program<Message>> {
  const { args = [], core, nodeOptions = [] } = options
  const node = [process.execPath, ...sourceOptions, ...nodeOptions, programFile(source), ...args]
  const [command = '', ...rest] = core === undefined ? node : onCore(core, node)
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    message: await nextMessage<Message>(child, source),
    pid: child.pid ?? 0,
    memoryAtRest: (idleMs) => {
      child.send({ idleMs } satisfies MemoryQuestion)
      return nextMessage(child, source)
    },
    stop: () => stop(child),
  }
}

/** The command confined to one core, so that server and load generator do not take turns on both. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  canPin() ? ['taskset', '-c', String(core), ...command] : [...command]

/** True when processes can be bound to cores, and there is more than one. */
export const canPin = (): boolean => cpus().length > 1 && isInstalled('taskset', ['-V'])

/** True when the command can be started at all. */
export const isInstalled = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).error === undefined

const sourceOptions = runsFromSource ? ['--conditions=chancela-source', '--import', 'tsx'] : []

const programFile = (source: URL): string =>
  runsFromSource ? fileURLToPath(source) : fileURLToPath(source).replace(/\.ts$/, '.js')

function nextMessage<Message>(child: ChildProcess, source: URL): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`${programFile(source)} ended with code ${code} too early.`))
    child.once('error', reject)
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('error', reject)
      child.off('exit', ended)
      resolve(message as Message)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  await ended
}
