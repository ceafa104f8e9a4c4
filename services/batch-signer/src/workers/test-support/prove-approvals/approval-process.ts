import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { LifeOrder } from './approval-plan.ts'

/** A process of the service that can be killed at any moment. */
export class ApprovalProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #output = ''
  baseUrl: string | undefined

  private constructor(program: string) {
    this.#child = fork(program, [], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.#output = (this.#output + text).slice(-20_000)
      })
    this.#ended = once(this.#child, 'exit')
  }

  /** Starts a process; it listens when this resolves, unless it was killed meanwhile. */
  static begin(
    program: string,
    order: LifeOrder,
  ): { readonly process: ApprovalProcess; readonly listening: Promise<void> } {
    const one = new ApprovalProcess(program)
    one.#child.send(order)
    return { process: one, listening: one.#listens() }
  }

  async #listens(): Promise<void> {
    const told = once(this.#child, 'message').then(([word]) => {
      this.baseUrl = (word as { baseUrl: string }).baseUrl
    })
    await Promise.race([told, this.#ended])
    if (this.baseUrl === undefined && this.#child.signalCode !== 'SIGKILL')
      throw new Error(`The service did not start:\n${this.#output}`)
  }

  async kill(): Promise<void> {
    this.baseUrl = undefined
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
