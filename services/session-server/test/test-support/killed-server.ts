import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type CompiledFile, compileFile } from '@chancela/testkit/programs'
import { atFileEnd } from '@chancela/testkit/test-files'
import { onTestFinished } from 'vitest'
import { clock } from './pki.ts'
import type { SessionWorld } from './session-world.ts'

/** What a process has to serve. */
export interface ServerPlan {
  readonly service: string
  readonly settings: unknown
  readonly dataFolder: string
  readonly now: string
}

interface Urls {
  readonly baseUrl: string
  readonly consoleUrl: string
}

let compiled: Promise<CompiledFile> | undefined

/** Compiled once for all processes of a file. */
function compiledServer(): Promise<CompiledFile> {
  if (compiled) return compiled
  const source = (path: string) => new URL(path, import.meta.url)
  compiled = compileFile(source('./server-process.ts'), [source('../../src/parts/tokens/token-process.ts')])
  atFileEnd(async () => {
    ;(await compiled)?.remove()
    compiled = undefined
  })
  return compiled
}

/** The service of a stopped world in a separate process. */
export async function startServerProcess({ store, settings, dataFolder }: SessionWorld) {
  const { program } = await compiledServer()
  const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const word = async () => (await Promise.race([once(child, 'message'), ended]))[0] as Urls
  await word()
  const plan: ServerPlan = { service: store.service, settings, dataFolder, now: clock().toISOString() }
  child.send(plan)
  const urls = await word()
  return {
    ...urls,
    pid: child.pid!,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** As an operator does. */
    async stop() {
      child.send({ stop: true })
      await ended
    },
    /** Like a power failure: nothing more is sent or written. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
