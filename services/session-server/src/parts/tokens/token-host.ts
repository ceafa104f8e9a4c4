import { type ChildProcess, fork } from 'node:child_process'
import { SECOND } from '@chancela/service-kernel/clock'
import type { TokenAnswers, TokenPlan, TokenReply, TokenRequest } from './token-messages.ts'

/** The token, its module or its process did not answer, or answered with a failure. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem'
}

interface Waiting {
  resolve(answer: object): void
  reject(problem: TokenProblem): void
}

interface HostOptions extends TokenPlan {
  /** Seconds for one answer; a process that takes longer is ended. */
  readonly answerSeconds: number
  /** The process has ended: whoever was logged in there is not any more. */
  readonly onEnd: () => void
}

/** Between two starts of a process that ends by itself: a module that crashes must not keep a processor busy. */
const START_AGAIN = SECOND

/** The process with a token's module: started when it is needed, ended when it hangs, and started again. */
export class TokenHost {
  readonly #options: HostOptions
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #startedAt = 0
  #lastId = 0
  #closed = false

  constructor(options: HostOptions) {
    this.#options = options
  }

  async ask<Do extends TokenRequest['do']>(
    request: Extract<TokenRequest, { readonly do: Do }>,
  ): Promise<TokenAnswers[Do]> {
    const child = this.#running()
    const id = ++this.#lastId
    const { promise, resolve, reject } = withResolvers<object>()
    this.#waiting.set(id, { resolve, reject })
    const hangs = setTimeout(() => this.#end('it did not answer in time'), this.#options.answerSeconds * SECOND)
    try {
      child.send({ id, ...request }, (error) => error && this.#end(error.message))
      return (await promise) as TokenAnswers[Do]
    } finally {
      clearTimeout(hangs)
      this.#waiting.delete(id)
    }
  }

  /** Says something to the process, if there is one. */
  tell(request: TokenRequest): void {
    if (this.#child) this.ask(request).catch(() => undefined)
  }

  /** Ends the process for good. */
  close(): void {
    this.#closed = true
    this.#end('the service stops')
  }

  #running(): ChildProcess {
    if (this.#child) return this.#child
    if (this.#closed) throw new TokenProblem('The service stops.')
    if (performance.now() - this.#startedAt < START_AGAIN && this.#startedAt > 0)
      throw new TokenProblem('The process of the module has just ended.')
    this.#startedAt = performance.now()
    const child = startProcess(this.#options.sessions)
    this.#child = child
    child.on('message', (reply: TokenReply) => this.#answered(reply))
    child.once('error', ({ message }) => this.#gone(child, message))
    child.once('exit', (code, signal) => this.#gone(child, `it ended with ${signal ?? code}`))
    const { module, token, sessions } = this.#options
    child.send({ module, token, sessions } satisfies TokenPlan, () => undefined)
    return child
  }

  #answered({ id, ...reply }: TokenReply): void {
    const waiting = this.#waiting.get(id)
    if ('answer' in reply) waiting?.resolve(reply.answer)
    else waiting?.reject(new TokenProblem(reply.problem))
  }

  #end(why: string): void {
    const child = this.#child
    child?.kill('SIGKILL')
    if (child) this.#gone(child, why)
  }

  #gone(child: ChildProcess, why: string): void {
    if (this.#child !== child) return
    this.#child = undefined
    for (const { reject } of this.#waiting.values())
      reject(new TokenProblem(`The process of the module is gone: ${why}.`))
    this.#options.onEnd()
  }
}

const runsFromSource = import.meta.url.endsWith('.ts')

/** The pool of threads has to hold all signatures; the module's process needs none of our settings and secrets. */
function startProcess(sessions: number): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CHANCELA__'))
  const child = fork(new URL(runsFromSource ? './token-process.ts' : './token-process.js', import.meta.url), {
    execArgv: runsFromSource ? ['--conditions=chancela-source', '--import', import.meta.resolve('tsx')] : [],
    env: { ...Object.fromEntries(own), UV_THREADPOOL_SIZE: String(Math.max(4, sessions + 2)) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  return child
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
