import type { Dispatcher } from 'undici'
import { ProviderProblem } from './provider-problem.ts'

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly bytes: Buffer
}

export interface AnswerLimits {
  /** By the monotonic clock, in milliseconds. */
  readonly until: number
  readonly signal?: AbortSignal | undefined
  readonly maxResponseBytes: number
}

/** One request and its whole answer, without the streams a general client makes for each. */
export const sendOnce = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: AnswerLimits,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const answer = new OneAnswer(resolve, reject, limits)
    if (answer.isOver) return
    dispatcher.dispatch(request, answer)
  })

/** What is wrong with the connection itself, in the order of events. */
class OneAnswer implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: RawAnswer) => void
  readonly #reject: (problem: ProviderProblem) => void
  readonly #limits: AnswerLimits
  readonly #timer: NodeJS.Timeout
  readonly #giveUp = (): void => this.#fail(this.#unanswered())
  readonly #pieces: Buffer[] = []
  #read = 0
  #status = 0
  #controller: Dispatcher.DispatchController | undefined
  isOver = false

  constructor(resolve: (answer: RawAnswer) => void, reject: (problem: ProviderProblem) => void, limits: AnswerLimits) {
    this.#resolve = resolve
    this.#reject = reject
    this.#limits = limits
    this.#timer = setTimeout(this.#giveUp, Math.max(0, limits.until - performance.now()))
    limits.signal?.addEventListener('abort', this.#giveUp, { once: true })
    if (limits.signal?.aborted) this.#giveUp()
  }

  /** Called when the connection stands, right before the first byte goes out. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.isOver) controller.abort(new Error('The call was given up.'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece)
    this.#read += piece.length
    const { maxResponseBytes } = this.#limits
    if (this.#read <= maxResponseBytes) return
    const diagnosis = `The answer is longer than ${maxResponseBytes} bytes.`
    this.#fail(new ProviderProblem('garbage', { status: this.#status, diagnosis }))
  }

  onResponseEnd(): void {
    if (!this.#end()) return
    this.#resolve({ status: this.#status, bytes: Buffer.concat(this.#pieces) })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#broken(error))
  }

  /** Until the connection stands nothing was sent; afterwards nobody knows what became of it. */
  #unanswered(): ProviderProblem {
    if (this.#controller) return new ProviderProblem('timeout')
    return new ProviderProblem('unavailable', { diagnosis: 'No connection came about in time.' })
  }

  /** The error itself is not kept: a parser's holds the bytes it choked on. */
  #broken({ name, code = name, message }: Error & { code?: string }): ProviderProblem {
    const more = { code, diagnosis: `${code}: ${message}` }
    if (!this.#controller) return new ProviderProblem('unavailable', more)
    return new ProviderProblem(name === 'HTTPParserError' ? 'garbage' : 'lost', more)
  }

  #fail(problem: ProviderProblem): void {
    if (!this.#end()) return
    this.#reject(problem)
    this.#controller?.abort(problem)
  }

  #end(): boolean {
    if (this.isOver) return false
    this.isOver = true
    clearTimeout(this.#timer)
    this.#limits.signal?.removeEventListener('abort', this.#giveUp)
    return true
  }
}
