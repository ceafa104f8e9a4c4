import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node'

/**
 * A process for one test file with a time limit. Vitest's own worker waits for a test to end; a mutant in an endless
 * loop never does. It leads a process group, so that what a test has started ends with it.
 */
export class MortalWorker implements PoolWorker {
  readonly name = 'mortal'
  readonly cacheFs = true
  readonly #options: PoolOptions
  readonly #limit: number
  readonly #onTimeout: () => void
  #process: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions, limit: number, onTimeout: () => void) {
    this.#options = options
    this.#limit = limit
    this.#onTimeout = onTimeout
  }

  async start(): Promise<void> {
    const { distPath, env, execArgv } = this.#options
    this.#process = fork(join(distPath, 'workers/forks.js'), [], {
      env: env as NodeJS.ProcessEnv,
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      detached: true,
    })
    living.add(this)
    this.#timer = setTimeout(() => {
      this.#onTimeout()
      this.kill()
    }, this.#limit)
  }

  on(event: string, callback: (arg: unknown) => void): void {
    this.#running.on(event, callback)
  }

  off(event: string, callback: (arg: unknown) => void): void {
    this.#running.off(event, callback)
  }

  send(message: WorkerRequest): void {
    if (this.#running.connected) this.#running.send(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#running
    const ended = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit')
    this.kill()
    await ended
  }

  /** The whole group, with SIGKILL: no clean-up is needed. */
  kill(): void {
    living.delete(this)
    try {
      process.kill(-this.#running.pid!, 'SIGKILL')
    } catch {
      // The group has ended by itself.
    }
  }

  get #running(): ChildProcess {
    if (this.#process === undefined) throw new Error('The process of the test file was never started.')
    return this.#process
  }
}

const living = new Set<MortalWorker>()

/** A separate process group does not receive Ctrl+C. */
export function killAllWorkers(): void {
  for (const worker of living) worker.kill()
}
