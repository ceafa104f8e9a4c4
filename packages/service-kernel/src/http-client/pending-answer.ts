import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { HttpProblem, problemOfNetwork } from './http-problem.ts'

/** As received: names in lower case, a list where one was repeated. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>

interface Head {
  readonly status: number
  readonly headers: HttpHeaders
}

/** An answer that has come as a whole, or as far as was asked for. */
export interface HttpAnswer extends Head {
  /** As received: compressed content stays compressed. */
  readonly body: Buffer
}

/** A response whose body is still arriving. */
export interface HttpArrival extends Head {
  /** Must be read or destroyed. It fails with an HttpProblem. */
  readonly body: Readable
}

export interface AnswerLimits {
  /** Milliseconds from now. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  readonly maxAnswerBytes: number
  /** Milliseconds for the body, of which what came is enough; without it, only a whole one is an answer. */
  readonly bodyWithinMs?: number | undefined
}

type Controller = Dispatcher.DispatchController

/**
 * One request until its response, under its limits. A hand-written handler: the streams and signals of a general client
 * cost more than the rest of a small exchange.
 */
abstract class PendingAnswer<Answer> implements Dispatcher.DispatchHandler {
  readonly promise: Promise<Answer>
  protected readonly limits: AnswerLimits
  protected head: Head = { status: 0, headers: {} }
  protected controller: Controller | undefined
  #timer: NodeJS.Timeout
  readonly #until: number
  #stopListening: (() => void) | undefined
  #resolve!: (answer: Answer) => void
  #reject!: (problem: HttpProblem) => void
  isOver = false

  constructor(limits: AnswerLimits) {
    this.limits = limits
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#until = performance.now() + limits.deadlineMs
    this.#timer = setTimeout(expire, Math.max(0, limits.deadlineMs), this)
    if (limits.signal) this.#obey(limits.signal)
  }

  #obey(signal: AbortSignal): void {
    const giveUp = () => this.fail(new HttpProblem('aborted', this.#account))
    signal.addEventListener('abort', giveUp, { once: true })
    this.#stopListening = () => signal.removeEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  }

  expire(): void {
    this.fail(new HttpProblem('deadline', this.#account))
  }

  /** Called when the connection is established, right before the first byte is sent. */
  onRequestStart(controller: Controller): void {
    if (this.isOver) controller.abort(new Error('The call was given up.'))
    else this.controller = controller
  }

  onResponseStart(_: Controller, status: number, headers: HttpHeaders): void {
    this.head = { status, headers }
  }

  abstract onResponseData(controller: Controller, piece: Buffer): void

  abstract onResponseEnd(): void

  onResponseError(_: Controller, error: Error): void {
    this.fail(problemOfNetwork(error, this.controller !== undefined))
  }

  protected succeed(answer: Answer): void {
    if (this.#end()) this.#resolve(answer)
  }

  protected fail(problem: HttpProblem): void {
    if (!this.#end()) return
    this.#reject(problem)
    this.controller?.abort(problem)
  }

  /** The rest has so many milliseconds, if the deadline leaves them. */
  protected hurry(milliseconds: number): void {
    if (this.isOver) return
    clearTimeout(this.#timer)
    const left = Math.min(milliseconds, this.#until - performance.now())
    this.#timer = setTimeout(expire, Math.max(0, left), this)
  }

  protected tooLarge(): HttpProblem {
    const sentence = `The answer is longer than ${this.limits.maxAnswerBytes} bytes.`
    return new HttpProblem('too-large', { ...this.#account, sentence })
  }

  get #account() {
    return { wasSent: this.controller !== undefined, status: this.head.status || undefined }
  }

  #end(): boolean {
    if (this.isOver) return false
    this.isOver = true
    clearTimeout(this.#timer)
    this.#stopListening?.()
    return true
  }
}

// One function for all timers: a closure for each call shows in a profile.
const expire = (pending: { expire(): void }): void => pending.expire()

const NOTHING = Buffer.alloc(0)

const joined = (pieces: readonly Buffer[]): Buffer => (pieces.length === 0 ? NOTHING : Buffer.concat(pieces))

/** Collects the whole answer, or of its body what comes, where the head is what counts. */
export class WholeAnswer extends PendingAnswer<HttpAnswer> {
  readonly #pieces: Buffer[] = []
  #read = 0

  override onResponseStart(controller: Controller, status: number, headers: HttpHeaders): void {
    super.onResponseStart(controller, status, headers)
    const { bodyWithinMs } = this.limits
    // Mostly the body arrives together with the head: to look a moment later costs less than a timer.
    if (status >= 200 && bodyWithinMs !== undefined) queueMicrotask(() => this.hurry(bodyWithinMs))
  }

  onResponseData(_: Controller, piece: Buffer): void {
    this.#pieces.push(piece)
    this.#read += piece.length
    if (this.#read > this.limits.maxAnswerBytes) this.fail(this.tooLarge())
  }

  onResponseEnd(): void {
    const { status, headers } = this.head
    this.succeed({ status, headers, body: joined(this.#pieces) })
  }

  protected override fail(problem: HttpProblem): void {
    const isEnough = this.limits.bodyWithinMs !== undefined && this.head.status >= 200
    if (isEnough && problem.kind !== 'aborted') this.#cut()
    else super.fail(problem)
  }

  #cut(): void {
    this.onResponseEnd()
    this.controller?.abort(new Error('The rest is not read.'))
  }
}

/** Resolves when the head has arrived: the deadline applies to the head, the size limit to the body. */
export class ArrivingAnswer extends PendingAnswer<HttpArrival> {
  #read = 0
  #isComplete = false
  #body: Readable | undefined

  override onResponseStart(controller: Controller, status: number, headers: HttpHeaders): void {
    super.onResponseStart(controller, status, headers)
    if (status < 200) return
    this.#body = this.#openBody(controller)
    this.succeed({ ...this.head, body: this.#body })
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    this.#read += piece.length
    if (this.#read > this.limits.maxAnswerBytes) this.#body?.destroy(this.tooLarge())
    else if (!this.#body?.push(piece)) controller.pause()
  }

  onResponseEnd(): void {
    this.#isComplete = true
    this.#body?.push(null)
  }

  override onResponseError(controller: Controller, error: Error): void {
    super.onResponseError(controller, error)
    this.#isComplete = true
    this.#body?.destroy(problemOfNetwork(error, true))
  }

  #openBody(controller: Controller): Readable {
    return new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!this.#isComplete) controller.abort(error ?? new Error('The rest is not read.'))
        done(error)
      },
    })
  }
}
