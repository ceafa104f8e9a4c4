import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { compile } from './compile.ts'
import { type Disk, startOnDisk } from './small-disk.ts'

interface StartOptions {
  /** A small disk that only the process has. */
  readonly disk?: Disk | undefined
  /** When the process is killed; at the end of the test when absent. */
  readonly atEnd?: ((kill: () => void) => void) | undefined
}

/** Starts a process of the program, with additional environment variables. */
export type Program = (environment?: Readonly<Record<string, string>>, options?: StartOptions) => Promise<ChildProcess>

/**
 * A program with the imports of the file `from`. It is compiled once, at its first start: compiling it in every process
 * took ten times as long as the process lived.
 */
export function program(from: string, moduleText: string): Program {
  let path: Promise<string> | undefined
  return async (environment = {}, { disk, atEnd = onTestFinished } = {}) => {
    path ??= compile(from, moduleText)
    const { execPath, execArgv } = disk ? startOnDisk(disk) : { execPath: process.execPath, execArgv: [] }
    const child = spawn(execPath, [...execArgv, await path], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    atEnd(() => void child.kill('SIGKILL'))
    return child
  }
}

/** The next line the process prints; exiting without one is a failure. */
export async function nextLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error('The process ended without a word.')
}
