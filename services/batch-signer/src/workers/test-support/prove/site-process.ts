import { type ChildProcess, fork } from 'node:child_process'
import type { SiteOrder, SiteWord, Taken, WriterPlan } from './site-plan.ts'

/** A writer whose open waits for a lease occupies a thread. */
const env = { ...process.env, UV_THREADPOOL_SIZE: '64' }

/** The site, as the prover sees it. */
export class SiteProcess {
  readonly #child: ChildProcess
  #waiting: { readonly word: SiteWord['word']; readonly resolve: () => void; readonly reject: (e: Error) => void }[] =
    []
  #trouble: Error | undefined
  #onTaken: (taken: Taken) => void = () => {}
  readonly #writing = new Map<number, () => void>()

  constructor(program: string) {
    this.#child = fork(program, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env })
    this.#child.on('message', (word: SiteWord) => this.#hear(word))
    this.#child.on('exit', () => this.#fail(new Error('The site has ended.')))
  }

  /** Begins a world; outputs of the world before are left alone. */
  begin(root: string, onTaken: (taken: Taken) => void): void {
    this.#onTaken = onTaken
    this.#send({ order: 'begin', root })
  }

  /** Waits until the consumer has taken what is there. */
  async drain(): Promise<void> {
    this.#send({ order: 'drain' })
    await this.#hears('drained')
  }

  /** Starts a writer; `onDone` when it has closed its file for the last time. */
  write(writer: WriterPlan, onDone: () => void): void {
    this.#writing.set(writer.number, onDone)
    this.#send({ order: 'write', writer })
  }

  get isWriting(): boolean {
    return this.#writing.size > 0
  }

  /** Why the site can no longer be believed. */
  get trouble(): Error | undefined {
    return this.#trouble
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }

  #send(order: SiteOrder): void {
    this.#child.send(order)
  }

  #hear(word: SiteWord): void {
    if (word.word === 'taken') this.#onTaken(word.taken)
    if (word.word === 'written') {
      this.#writing.get(word.number)?.()
      this.#writing.delete(word.number)
    }
    if (word.word === 'trouble') this.#fail(new Error(`The site is in trouble: ${word.text}`))
    const heard = this.#waiting.filter((one) => one.word === word.word)
    this.#waiting = this.#waiting.filter((one) => one.word !== word.word)
    for (const { resolve } of heard) resolve()
  }

  #fail(error: Error): void {
    this.#trouble = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #hears(word: SiteWord['word']): Promise<void> {
    if (this.#trouble) throw this.#trouble
    return new Promise((resolve, reject) => this.#waiting.push({ word, resolve, reject }))
  }
}
