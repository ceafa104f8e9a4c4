import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Disk, pathIn, startOnDisk } from '@chancela/testkit/programs'
import type { LifePlan, LifeSetup, Order, Word } from './life-plan.ts'

type Listening = Extract<Word, { readonly word: 'listening' }>

/** A process of the service. It loads at once and then waits for its order. */
export class LifeProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #words: Word[] = []
  #waiting: (() => void)[] = []
  #output = ''

  constructor(program: string, disk?: Disk) {
    const start = disk ? startOnDisk(disk) : { execArgv: [] }
    this.#child = fork(program, [], { ...start, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.#output = (this.#output + text).slice(-20_000)
      })
    this.#child.on('message', (word: Word) => {
      this.#words.push(word)
      this.#wake()
    })
    this.#ended = once(this.#child, 'exit').then(() => this.#wake())
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** A path as the process sees it, which may be on a disk of its own. */
  pathOf(path: string): string {
    return pathIn(this.#child.pid!, path)
  }

  /** Starts the service; undefined when the process crashed meanwhile, as its plan may demand. */
  async live(setup: LifeSetup, plan: LifePlan): Promise<Listening | undefined> {
    if (!(await this.#hears('loaded'))) throw new Error(`The process did not load:\n${this.#output}`)
    // The process may be dying: then its exit decides.
    this.#child.send({ setup, plan } satisfies Order, () => {})
    const listening = await this.#hears('listening')
    if (!listening && this.#child.signalCode !== 'SIGKILL') throw new Error(`The process failed:\n${this.#output}`)
    return listening as Listening | undefined
  }

  /** Resolves after so many milliseconds, or when the process has died; true when it has. */
  async diesWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds)
    })
    const died = await Promise.race([this.#ended.then(() => true), waited])
    clearTimeout(timer)
    if (died && this.#child.signalCode !== 'SIGKILL') throw new Error(`The process ended by itself:\n${this.#output}`)
    return died
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  async #hears(wanted: Word['word']): Promise<Word | undefined> {
    for (;;) {
      const heard = this.#words.find(({ word }) => word === wanted)
      if (heard || !this.isAlive) return heard
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
