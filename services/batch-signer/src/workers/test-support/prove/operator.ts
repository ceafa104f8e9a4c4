import { setTimeout } from 'node:timers/promises'
import { API_KEY } from './world-folders.ts'

/** A job as the list shows it. */
export interface ListedJob {
  readonly id: string
  readonly fileName: string
  readonly status: string
}

/** Milliseconds for which the operator waits for something to show, and between two looks. */
const PATIENCE = 4_000
const LOOK = 40
const SETTLING = 300

/** The operator of a world, over the public door of the service; every answer is undefined when the process died. */
export class Operator {
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Has failed and canceled files of a folder taken again: the operator's word for them. */
  rescan = (folder: string) => this.#call('POST', `/api/rescan?folder=${folder}`)

  pause = () => this.#call('POST', '/api/pipeline/pause', { reason: 'the proof' })

  resume = () => this.#call('POST', '/api/pipeline/resume')

  cancel = (jobId: string) => this.#call('POST', `/api/jobs/${jobId}/cancel`)

  cleanUp = () => this.#call('POST', '/api/cleanup')

  clearJobs = () => this.#call('DELETE', '/api/jobs')

  deleteJob = (jobId: string) => this.#call('DELETE', `/dashboard/api/jobs/${jobId}`, { reason: 'the proof' })

  retry = (ids: readonly string[]) => this.#call('POST', '/dashboard/api/jobs/bulk', { action: 'retry', ids })

  upload(name: string, bytes: Uint8Array, profile: string): Promise<Answer | undefined> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), name)
    return this.#send('POST', `/api/files?profile=${profile}`, { body: form })
  }

  async jobs(query: string): Promise<readonly ListedJob[]> {
    const answer = await this.#call('GET', `/api/jobs?pageSize=200&${query}`)
    return answer?.status === 200 ? (answer.body as { items: readonly ListedJob[] }).items : []
  }

  /** The job of a file, once it is queued. */
  async queued(fileName: string): Promise<ListedJob | undefined> {
    return await this.#until(async () => (await this.jobs(`fileName=${fileName}&status=Queued`))[0])
  }

  /** Whether a paused pipeline has come to rest. */
  async isIdle(): Promise<boolean> {
    // A pick-up that began before the pause may still come.
    await setTimeout(SETTLING)
    const inFlight = async () => [...(await this.jobs('status=Processing')), ...(await this.jobs('status=Verifying'))]
    return (await this.#until(async () => ((await inFlight()).length === 0 ? true : undefined))) ?? false
  }

  async #until<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    const until = performance.now() + PATIENCE
    for (let seen = await look(); ; seen = await look()) {
      if (seen !== undefined || performance.now() > until) return seen
      await setTimeout(LOOK)
    }
  }

  #call(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    if (body === undefined) return this.#send(method, path, {})
    return this.#send(method, path, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async #send(method: string, path: string, { headers, ...init }: RequestInit): Promise<Answer | undefined> {
    try {
      const answer = await fetch(new URL(path, this.#baseUrl), {
        method,
        ...init,
        headers: { 'X-API-Key': API_KEY, ...(headers as Record<string, string>) },
      })
      return understood(path, { status: answer.status, body: await answer.json() })
    } catch (error) {
      if (error instanceof NotUnderstood) throw error
      // fetch has one error for every way in which a connection can end; the next life shows what came of it.
      return undefined
    }
  }
}

/** An operator who is not understood has done nothing, and would prove nothing. */
class NotUnderstood extends Error {}

function understood(path: string, answer: Answer): Answer {
  if (answer.status === 400) throw new NotUnderstood(`${path} was answered ${JSON.stringify(answer.body)}`)
  return answer
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}
