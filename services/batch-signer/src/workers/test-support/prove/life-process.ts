import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { LifePlan, LifeSetup, Order, Word } from './life-plan.ts'

/** A process of the service. It loads at once and then waits for its order. */
export class LifeProcess {
  readonly #child: ChildProcess
  readonly #heard = new Set<Word['word']>()
  readonly #ended: Promise<unknown>
  #waiting: (() => void)[] = []
  #output = ''

  constructor(program: string) {
    this.#child = fork(program, [], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.#output = (this.#output + text).slice(-20_000)
      })
    this.#child.on('message', ({ word }: Word) => {
      this.#heard.add(word)
      this.#wake()
    })
    this.#ended = once(this.#child, 'exit').then(() => this.#wake())
  }

  /** Opens everything and recovers; false when the process died meanwhile, as its plan may demand. */
  async live(setup: LifeSetup, plan: LifePlan): Promise<boolean> {
    if (!(await this.#hears('loaded'))) throw new Error(`The process did not load:\n${this.#output}`)
    this.#send({ order: 'live', setup, plan })
    const recovered = await this.#hears('recovered')
    if (!recovered && this.#child.signalCode !== 'SIGKILL') throw new Error(`The process failed:\n${this.#output}`)
    return recovered
  }

  work(): void {
    this.#send({ order: 'work' })
  }

  /** Kills the process after this many milliseconds; true when it had already died by its plan. */
  async killAfter(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<'waited'>((resolve) => {
      timer = setTimeout(() => resolve('waited'), milliseconds)
    })
    const first = await Promise.race([this.#ended.then(() => 'ended' as const), waited])
    clearTimeout(timer)
    if (first === 'ended' && this.#child.signalCode !== 'SIGKILL')
      throw new Error(`The process ended by itself:\n${this.#output}`)
    await this.kill()
    return first === 'ended'
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  #send(order: Order): void {
    // The process may be dying: then its exit decides.
    this.#child.send(order, () => {})
  }

  async #hears(word: Word['word']): Promise<boolean> {
    while (!this.#heard.has(word)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return false
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return true
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
