import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as later } from 'node:timers/promises'
import type { LifePlan, LifeSetup, Order, Word } from './life-plan.ts'

/** A process of the service. It loads at once and then waits for its order. */
export class LifeProcess {
  readonly #child: ChildProcess
  readonly #heard = new Map<Word['word'], Word>()
  readonly #ended: Promise<unknown>
  #waiting: (() => void)[] = []
  #output = ''

  constructor(program: string) {
    this.#child = fork(program, [], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.#output = (this.#output + text).slice(-20_000)
      })
    this.#child.on('message', (word: Word) => {
      this.#heard.set(word.word, word)
      this.#wake()
    })
    this.#ended = once(this.#child, 'exit').then(() => this.#wake())
  }

  /** Opens everything and recovers; the base URL, or undefined when the process died meanwhile as its plan demands. */
  async live(setup: LifeSetup, plan: LifePlan): Promise<string | undefined> {
    if (!(await this.#hears('loaded'))) throw new Error(`The process did not load:\n${this.#output}`)
    this.#send({ order: 'live', setup, plan })
    const { killedAtBootMs } = plan
    if (killedAtBootMs !== undefined) void later(killedAtBootMs).then(() => this.#child.kill('SIGKILL'))
    const recovered = await this.#hears('recovered')
    if (!recovered && !this.#isKilled) throw new Error(`The process failed:\n${this.#output}`)
    return recovered?.word === 'recovered' ? recovered.baseUrl : undefined
  }

  /** Starts beside another process: the base URL, or undefined when the service refused to start. */
  async tries(setup: LifeSetup, plan: LifePlan): Promise<string | undefined> {
    if (!(await this.#hears('loaded'))) throw new Error(`The process did not load:\n${this.#output}`)
    this.#send({ order: 'live', setup, plan })
    const recovered = await this.#hears('recovered')
    return recovered?.word === 'recovered' ? recovered.baseUrl : undefined
  }

  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  work(): void {
    this.#send({ order: 'work' })
  }

  /** Kills the process when the moment has come; true when it had already died by its plan. */
  async killWhen(moment: Promise<unknown>): Promise<boolean> {
    const first = await Promise.race([this.#ended.then(() => 'ended' as const), moment.then(() => 'come' as const)])
    if (first === 'ended' && !this.#isKilled) throw new Error(`The process ended by itself:\n${this.#output}`)
    await this.kill()
    return first === 'ended'
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  get #isKilled(): boolean {
    return this.#child.signalCode === 'SIGKILL'
  }

  #send(order: Order): void {
    // The process may be dying: then its exit decides.
    this.#child.send(order, () => {})
  }

  async #hears(word: Word['word']): Promise<Word | undefined> {
    while (!this.#heard.has(word)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return undefined
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return this.#heard.get(word)
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
