/** An answer that is not a success. */
export class Refused extends Error {
  readonly status: number

  constructor(what: string, status: number, text: string) {
    super(`${what}: ${status} ${text.slice(0, 300)}`)
    this.status = status
  }
}

/** Longest wait for an answer, in milliseconds: clients have limits, too. */
const PATIENCE_MS = 30_000

/** Of the hub's contract: what its providers did, which clients know as 500. */
const ofProviders = ['ProviderUnavailable', 'ProviderTimeout', 'ProviderConnectionLost', 'ProviderError']

/** Whether an answer says that the service has a bug, whatever is broken around it. */
const isBug = (status: number, text: string): boolean =>
  status === 500 && !ofProviders.some((one) => text.includes(one))

/** Calls to one base URL, and the answers that nobody should get. */
export class Calls {
  /** Calls that were answered with 500. */
  readonly bugs: string[]
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Readonly<Record<string, string>>, bugs: string[]) {
    this.#baseUrl = baseUrl
    this.#headers = headers
    this.bugs = bugs
  }

  async json<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.call(method, path, body)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  async bytes(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.call('GET', path)).arrayBuffer())
  }

  async call(method: string, path: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData
    const answer = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...(body && !isForm && { 'Content-Type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (answer.ok) return answer
    const what = `${method} ${this.#baseUrl}${path}`
    const text = await answer.text()
    if (isBug(answer.status, text)) this.bugs.push(`${what}: ${text.slice(0, 300)}`)
    throw new Refused(what, answer.status, text)
  }
}
