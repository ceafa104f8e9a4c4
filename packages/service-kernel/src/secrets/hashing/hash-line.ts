import type { Worker } from 'node:worker_threads'
import { FrameworkProblem } from '../../errors/index.ts'
import type { HashAnswer, HashTask } from './hash-thread.ts'

interface LineLimits {
  /** Hashes made at the same time. */
  readonly threads: number
  /** Hashes that wait; more are turned away. */
  readonly mostWaiting: number
}

interface Waiting {
  readonly task: HashTask
  resolve(hash: Buffer): void
  reject(reason: unknown): void
}

/** About as long as a full line takes. */
const RETRY = { 'retry-after': '5' }

/**
 * Hashes in threads of its own, a few at a time; the rest wait. Clients take turns, and in a full line whoever has most
 * waiting gives way: however many attempts one client makes, another one's waits for a turn, not for all of them.
 */
export class HashLine {
  readonly #limits: LineLimits
  readonly #start: () => Worker
  readonly #resting: Worker[] = []
  /** By client, in the order of their turns; nobody is here with nothing waiting. */
  readonly #waiting = new Map<string, Waiting[]>()
  #running = 0

  constructor(limits: LineLimits, start: () => Worker) {
    this.#limits = limits
    this.#start = start
  }

  /** The hash of a password that `client` sent; turned away where its line is full. */
  hash(task: HashTask, client: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#admit({ task, resolve, reject }, client)
      this.#handOut()
    })
  }

  /** Turns away all who wait: a process that stops has no time for them. */
  turnAway(): void {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { reject } of all) reject(full())
  }

  #admit(newcomer: Waiting, client: string): void {
    const own = this.#waiting.get(client) ?? []
    if (this.#isFull() && !this.#makeRoom(own.length)) newcomer.reject(full())
    else this.#waiting.set(client, [...own, newcomer])
  }

  #isFull(): boolean {
    const { threads, mostWaiting } = this.#limits
    const waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    return this.#running >= threads && waiting >= mostWaiting
  }

  /** Turns away the latest of the client with most waiting, if a newcomer with `own` of them has fewer even then. */
  #makeRoom(own: number): boolean {
    const longest = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    if (longest.length <= own + 1) return false
    longest.pop()!.reject(full())
    return true
  }

  #handOut(): void {
    while (this.#running < this.#limits.threads) {
      const next = this.#next()
      if (!next) return
      this.#work(next)
    }
  }

  /** The first of the client whose turn it is; the client's next turn comes after everybody else's. */
  #next(): Waiting | undefined {
    const [turn] = this.#waiting
    if (!turn) return undefined
    const [client, own] = turn
    const next = own.shift()!
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    return next
  }

  #work({ task, resolve, reject }: Waiting): void {
    const thread = this.#resting.pop() ?? this.#started()
    this.#running += 1
    const settle = (end: () => void) => {
      thread.off('message', take).off('exit', fail).off('error', fail)
      this.#running -= 1
      end()
      this.#handOut()
    }
    const take = (answer: HashAnswer) =>
      settle(() => {
        // One that has nothing to do does not keep the process alive.
        thread.unref()
        this.#resting.push(thread)
        if ('hash' in answer) resolve(Buffer.from(answer.hash))
        else reject(new Error(answer.bug))
      })
    const fail = (cause: unknown) => settle(() => reject(new Error('A thread that hashes passwords ended.', { cause })))
    thread.on('message', take).on('exit', fail).on('error', fail)
    thread.ref()
    thread.postMessage(task)
  }

  /** One that ends while it rests is given nothing any more. */
  #started(): Worker {
    const thread = this.#start()
    const forget = () => {
      const at = this.#resting.indexOf(thread)
      if (at >= 0) this.#resting.splice(at, 1)
    }
    return thread.on('exit', forget).on('error', forget)
  }
}

const full = (): FrameworkProblem => new FrameworkProblem('line-full', { headers: RETRY })
