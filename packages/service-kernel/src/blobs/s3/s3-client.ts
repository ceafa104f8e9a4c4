import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, MINUTE, SECOND } from '../../clock/index.ts'
import { notedStorageUnreachable } from '../../errors/index.ts'
import { readWhole } from '../../http-client/index.ts'
import { encodedPart, type S3Key, signedHeaders } from './sign-request.ts'

export interface S3ClientOptions extends S3Key {
  /** URL of the store, such as `https://s3.example.com`; buckets are the first path segment (path style). */
  readonly endpoint: string
  readonly bucket: string
  readonly clock: Clock
  /** Timeout in milliseconds without data, until the answer and for answers read as a whole. Default 30000. */
  readonly answerMs?: number
  /** Timeout in milliseconds without data while a blob is streamed to a slow reader. Default 300000. */
  readonly readingMs?: number
}

export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Undefined for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: S3Body
}

/** A body that can be sent again on a retry. */
export interface S3Body {
  readonly size: number
  readonly sha256: string
  open(): Uint8Array | Readable
}

/** The store refused, or failed after all retries. */
class S3Problem extends Error {
  override readonly name = 'S3Problem'
  readonly status: number

  constructor(status: number, method: string, answer: string) {
    super(`The blob store answered ${status} to ${method}: ${answer.slice(0, 500)}`)
    this.status = status
  }
}

const noAnswer = (): Error => Object.assign(new Error('The blob store does not answer.'), { code: 'ETIMEDOUT' })

/** The store's own answers, and errors of the network, which have a code. Without one it is a bug of ours. */
const passes = (error: unknown): boolean =>
  error instanceof S3Problem || typeof (error as { readonly code?: unknown }).code === 'string'

/** The status describes the result; the body is only for the log. */
const UNREAD = 'what it said could not be read'

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ANSWER_LIMIT = 30 * SECOND
const READING_LIMIT = 5 * MINUTE
/** Limit of answers read as a whole: a list page, or an error. */
const ANSWER_BYTES = 4 * 1_048_576
/** Pauses before the retries: every call can be repeated, since blobs never change. */
const PAUSES = [100, 400, 1_600] as const
const WORTH_RETRYING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/** Signed calls to one bucket over keep-alive connections. */
export class S3Client {
  readonly #options: S3ClientOptions
  readonly #agent: http.Agent
  readonly #request: typeof http.request
  readonly #answerMs: number

  constructor(options: S3ClientOptions) {
    const transport = new URL(options.endpoint).protocol === 'https:' ? https : http
    this.#options = options
    this.#answerMs = options.answerMs ?? ANSWER_LIMIT
    this.#request = transport.request
    this.#agent = new transport.Agent({ keepAlive: true })
  }

  /** The successful answer, or 404 with `absent-too`; its body must be read or destroyed. */
  async call(call: S3Call, expect: 'present' | 'absent-too' = 'present'): Promise<http.IncomingMessage> {
    for (let attempt = 0; ; attempt++) {
      const pause = PAUSES[attempt]
      try {
        const answer = await this.#send(call)
        const status = answer.statusCode!
        if (status < 300 || (status === 404 && expect === 'absent-too')) return answer
        const problem = new S3Problem(status, call.method, await this.#textOf(answer).catch(() => UNREAD))
        if (pause === undefined || !WORTH_RETRYING.has(status)) throw problem
      } catch (error) {
        if (error instanceof S3Problem || pause === undefined)
          throw passes(error) ? notedStorageUnreachable(error) : error
      }
      await wait(pause)
    }
  }

  /** A call whose response body is not needed. */
  async status(call: S3Call): Promise<http.IncomingMessage> {
    const answer = await this.call(call, 'absent-too')
    await this.#textOf(answer)
    return answer
  }

  async text(call: S3Call): Promise<string> {
    return this.#textOf(await this.call(call))
  }

  close(): void {
    this.#agent.destroy()
  }

  async #send({ method, key, query = {}, headers = {}, body }: S3Call): Promise<http.IncomingMessage> {
    const url = this.#urlOf(key, query)
    const length = body && { 'content-length': String(body.size) }
    const unsigned = { method, url, headers: { ...headers, ...length }, bodyDigest: body?.sha256 ?? SHA256_OF_NOTHING }
    const signed = signedHeaders(unsigned, this.#options, this.#options.clock())
    const request = this.#request(url, { method, headers: signed, agent: this.#agent, timeout: this.#answerMs })
    request.once('timeout', () => request.destroy(noAnswer()))
    const answered = once(request, 'response')
    const sent = send(request, body?.open())
    // A store may answer, and close, before it has read the whole body: then the answer counts.
    const [answer] = (await Promise.race([answered, sent.then(() => answered)])) as [http.IncomingMessage]
    sent.catch(() => {})
    request.setTimeout(this.#options.readingMs ?? READING_LIMIT)
    // From here on errors reach the reader of the answer; an unhandled 'error' event would end the process.
    request.on('error', () => {})
    return answer
  }

  async #textOf(answer: Readable): Promise<string> {
    try {
      return String(await readWhole(answer, { maxBytes: ANSWER_BYTES, deadlineMs: this.#answerMs }))
    } catch (error) {
      throw notedStorageUnreachable(error)
    }
  }

  #urlOf(key: string | undefined, query: Readonly<Record<string, string>>): URL {
    const { endpoint, bucket } = this.#options
    const path = [bucket, ...(key?.split('/') ?? [])].map(encodedPart).join('/')
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${path}`)
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodedPart(name)}=${encodedPart(value)}`)
      .join('&')
    return url
  }
}

async function send(request: http.ClientRequest, body: Uint8Array | Readable | undefined): Promise<void> {
  if (body instanceof Readable) await pipeline(body, request)
  else request.end(body)
}
