/** The service gave no valid answer: the request may have been executed or not. */
export class Unknown extends Error {
  override readonly name: string = 'Unknown'
}

/** The service answered that something is wrong inside it, which no kill explains. */
export class Failed extends Unknown {
  override readonly name = 'Failed'
}

/** The service refused: nothing changed. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

/** Calls of one run of the service, each with the same headers. */
export class ServiceCalls {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl
    this.#headers = headers
  }

  async json<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const text = await (await this.call(method, path, body)).text().catch((cause) => {
      throw new Unknown(`${path} broke off`, { cause })
    })
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  async call(method: string, path: string, body?: object): Promise<Response> {
    const headers = { ...this.#headers, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${this.#baseUrl}${path}`, init).catch((cause) => {
      throw new Unknown(`${path} was not answered`, { cause })
    })
    if (answer.ok) return answer
    const text = await answer.text().catch(() => '')
    if (answer.status >= 500) throw new Failed(`${method} ${path} answered ${answer.status}: ${text}`)
    throw new Refused(answer.status, `${path} answered ${answer.status}: ${text}`)
  }
}
