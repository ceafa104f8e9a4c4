// The document platform of an organization, through the operations of its contract: our own, or a server with that API.
import {
  type AnswerOf,
  type BodyOf,
  cancelDocument,
  createDocuments,
  listDocuments,
  readContent,
  readDocument,
  uploadBytes,
} from '@chancela/document-platform/contract'
import { type HttpAnswer, type HttpClient, HttpProblem, isRedirect } from '@chancela/service-kernel/http-client'
import { platformWords } from '../rules/platform-words.ts'

/** Failure of a call. Its message never contains what was sent or answered. */
export class PlatformProblem extends Error {
  override readonly name = 'PlatformProblem'
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined
  /** A code of the other's contract; undefined where it gave none. */
  readonly code: string | undefined

  constructor(message: string, { status, code, cause }: { status?: number; code?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
    this.code = code
  }

  /** What another attempt will not mend: the platform understood, and says no. */
  get isFinal(): boolean {
    return this.status !== undefined && this.status >= 400 && this.status < 500 && !passing.includes(this.status)
  }
}

/** A key is mended by whoever made it, a limit passes, a request that was too slow is sent again. */
const passing: readonly number[] = [401, 403, 408, 425, 429]

export interface PlatformAddress {
  /** Without a trailing slash. */
  readonly url: string
  readonly apiKey: string
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

export type PlatformDocument = AnswerOf<typeof readDocument>
export type NewPlatformDocument = BodyOf<typeof createDocuments>

/** Every method throws PlatformProblem. */
export class DocumentPlatform {
  readonly #client: HttpClient
  readonly #address: PlatformAddress
  readonly #told: (problem?: PlatformProblem) => void

  /** `told`: of each call whether the platform could be worked with, and why not. */
  constructor(client: HttpClient, address: PlatformAddress, told: (problem?: PlatformProblem) => void = () => {}) {
    this.#client = client
    this.#address = address
    this.#told = told
  }

  /** Id of the upload. */
  async upload(bytes: Uint8Array): Promise<string> {
    const answer = await this.#json(uploadBytes, { body: { bytes: Buffer.from(bytes).toString('base64') } })
    return textIn(answer, 'id')
  }

  /** Id of the document. */
  async create(body: NewPlatformDocument): Promise<string> {
    const answer = await this.#json(createDocuments, { body })
    return textIn(Array.isArray(answer) ? answer[0] : undefined, 'documentId')
  }

  /** Ids of the documents that have a tag, the oldest first. */
  async tagged(label: string, value: string): Promise<readonly string[]> {
    const query = { tags: `${label}|${value}`, order: 'Asc', limit: '50' }
    const { items } = (await this.#json(listDocuments, { query })) as { items?: unknown }
    if (!Array.isArray(items)) throw notUnderstood()
    return items.map((item) => textIn(item, 'id'))
  }

  async read(id: string): Promise<PlatformDocument> {
    const answer = await this.#json(at(readDocument, id))
    textIn(answer, 'status')
    return answer as PlatformDocument
  }

  /** The signed bytes. */
  async content(id: string): Promise<Buffer> {
    return (await this.#ask(at(readContent, id), { query: { type: 'Signatures' } })).body
  }

  async cancel(id: string, reason: string): Promise<void> {
    await this.#ask(at(cancelDocument, id), { body: { reason } })
  }

  /** Throws where the key may not read documents, or not create any; nothing is created. */
  async probe(): Promise<void> {
    const { items } = ((await this.#json(listDocuments, { query: { limit: '0' } })) ?? {}) as { items?: unknown }
    if (!Array.isArray(items)) throw notUnderstood()
    await this.#json(createDocuments, { body: { files: [], flowActions: [] } }).catch(refusedAsIncomplete)
  }

  async #json(operation: Operation, asked: Asked = {}): Promise<unknown> {
    return jsonIn((await this.#ask(operation, asked)).body.toString('utf8'))
  }

  async #ask(operation: Operation, asked: Asked): Promise<HttpAnswer> {
    try {
      const answer = await this.#answer(operation, asked)
      this.#told()
      return answer
    } catch (error) {
      // What it understood and refuses is of one document.
      if (error instanceof PlatformProblem) this.#told(error.isFinal ? undefined : error)
      throw error
    }
  }

  async #answer({ method, path }: Operation, { query, body }: Asked): Promise<HttpAnswer> {
    const answer = await this.#client
      .exchange({
        method,
        url: `${this.#address.url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
        headers: { 'X-Api-Key': this.#address.apiKey, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      .catch(unanswered)
    // Following a redirect would send the key to another host.
    if (isRedirect(answer)) throw new PlatformProblem(platformWords('redirects'))
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refused(answer)
  }
}

const at = ({ method, path }: Operation, id: string): Operation => ({
  method,
  path: path.replace('{id}', encodeURIComponent(id)),
})

/** A request without files is refused for that alone where the key may create documents. */
function refusedAsIncomplete(error: unknown): void {
  if (!(error instanceof PlatformProblem && error.isFinal)) throw error
}

const sentences: Readonly<Record<number, string>> = {
  401: platformWords('key-refused'),
  403: platformWords('key-weak'),
  404: platformWords('nothing-there'),
  429: platformWords('too-often'),
}

function refused({ status, body }: HttpAnswer): PlatformProblem {
  const code = codeIn(body.toString('utf8'))
  const why = sentences[status] ?? platformWords('answered', { status })
  return new PlatformProblem(code === undefined ? why : platformWords('with-code', { why, code }), {
    status,
    ...(code !== undefined && { code }),
  })
}

/** Only what looks like a code: an answer is shown to nobody. */
function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined
  } catch {
    return undefined
  }
}

const notUnderstood = () => new PlatformProblem(platformWords('not-platform'))

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notUnderstood()
  }
}

function textIn(answer: unknown, name: string): string {
  const value = (answer as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  if (typeof value === 'string' && value !== '') return value
  throw notUnderstood()
}

function unanswered(error: unknown): never {
  if (error instanceof HttpProblem) throw new PlatformProblem(saidOf(error), { cause: error })
  throw error
}

const words: Readonly<Partial<Record<HttpProblem['kind'], Parameters<typeof platformWords>[0]>>> = {
  unreachable: 'unreachable',
  untrusted: 'untrusted',
  deadline: 'deadline',
  lost: 'lost',
  'broken-answer': 'broken',
  'too-large': 'long',
}

/** Of other kinds, such as an address that must not be called, the client says more itself. */
function saidOf({ kind, code, message }: HttpProblem): string {
  const key = words[kind]
  if (key === undefined) return message
  const why = platformWords(key)
  return code === undefined ? why : platformWords('with-code', { why, code })
}
