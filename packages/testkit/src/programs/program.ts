import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { compile } from './compile.ts'

/** Starts a process of the program, with additional environment variables; it is killed when the test ends. */
export type Program = (environment?: Readonly<Record<string, string>>) => Promise<ChildProcess>

/**
 * A program with the imports of the file `from`. It is compiled once, at its first start: compiling it in every process
 * took ten times as long as the process lived.
 */
export function program(from: string, moduleText: string): Program {
  let path: Promise<string> | undefined
  return async (environment = {}) => {
    path ??= compile(from, moduleText)
    const child = spawn(process.execPath, [await path], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
}

/** The next line the process prints; exiting without one is a failure. */
export async function nextLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error('The process ended without a word.')
}
