import { API_KEY } from './world-folders.ts'

/** The operator of a world, over the public door of the service. */
export class Operator {
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Has failed and canceled files of a folder taken again: the operator's word for them. */
  rescan(folder: string): Promise<Answer | undefined> {
    return this.#call('POST', `/api/rescan?folder=${folder}`)
  }

  /** Undefined when the process died before it answered. */
  async #call(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    try {
      const answer = await fetch(new URL(path, this.#baseUrl), {
        method,
        headers: { 'X-API-Key': API_KEY, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      // fetch has one error for every way in which a connection can end; the next life shows what came of it.
      return undefined
    }
  }
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}
