import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import { discardRest } from './discard-rest.ts'
import { decoded, type ParameterisedValue, parameterisedValue } from './multipart-header.ts'

/** The file of a form while it arrives. */
export interface FilePart {
  /** As the client wrote it, including any path: never use it as a path. Empty only where `isFile` allows it. */
  readonly fileName: string
  /** In lower case, without parameters; `application/octet-stream` when the client names none. */
  readonly mediaType: string
  /** The bytes. Throws when the client goes away, the form breaks off or the file exceeds its limit. */
  readonly content: AsyncIterable<Buffer>
}

/** Name of a part, and its file name if it has one. */
interface NamedPart {
  readonly name: string
  readonly fileName: string | undefined
}

export interface MultipartOptions<T> {
  /** Name of the parts that hold files. Default `file`. */
  readonly fileField?: string
  /** Identifies the parts that hold files, instead of their name; such a part may have no file name. */
  readonly isFile?: (part: NamedPart) => boolean
  /** Largest file, in bytes. */
  readonly maxFileBytes: number
  /** Most parts besides the file. Default 16. */
  readonly maxFields?: number
  /** Largest part besides the file, in bytes. Default 8 KiB. */
  readonly maxFieldBytes?: number
  /**
   * Receives a file while it arrives; `fields` holds at least the parts before it. When it throws, so does the reading,
   * and the rest of the body is discarded. When the form turns out invalid after it resolved, the caller must remove
   * what it returned.
   */
  onFile(file: FilePart, fields: ReadonlyMap<string, string>): Promise<T>
}

/** For forms of several files. */
interface MultipartFilesOptions<T> extends MultipartOptions<T> {
  /** Most files. */
  readonly maxFiles: number
}

/** The content of a form: a file, or why there is no valid one. */
export type MultipartResult<T> =
  | { readonly outcome: 'read'; readonly file: T; readonly fields: ReadonlyMap<string, string> }
  | { readonly outcome: 'no-file' | 'no-file-name' | 'several-files' | 'too-large' }

/** The content of a form of several files: as many as it had, perhaps none, in order. */
type MultipartFilesResult<T> =
  | { readonly outcome: 'read'; readonly files: readonly T[]; readonly fields: ReadonlyMap<string, string> }
  | { readonly outcome: 'no-file-name' | 'several-files' | 'too-large' }

/**
 * Reads a form with one file from a route with `streamed: true`; only the fields are held in memory. Throws
 * FrameworkProblem when the body is no form, ends early, or has more or larger fields than allowed.
 */
export async function readMultipart<T>(
  request: FastifyRequest,
  options: MultipartOptions<T>,
): Promise<MultipartResult<T>> {
  const form = await readMultipartFiles(request, { ...options, maxFiles: 1 })
  if (form.outcome !== 'read') return form
  const { files, fields } = form
  return files.length === 0 ? { outcome: 'no-file' } : { outcome: 'read', file: files[0]!, fields }
}

/** Reads a form with up to `maxFiles` files, one after the other; more of them are `several-files`. */
export async function readMultipartFiles<T>(
  request: FastifyRequest,
  options: MultipartFilesOptions<T>,
): Promise<MultipartFilesResult<T>> {
  const boundary = boundaryOf(request.headers['content-type'])
  try {
    return await new FormReading(boundary, options).read(request.raw)
  } finally {
    discardRest(request.raw)
  }
}

function boundaryOf(contentType = ''): string {
  const type = parameterisedValue(contentType)
  if (type?.value !== 'multipart/form-data')
    throw new FrameworkProblem('unsupported-media-type', { details: { field: 'Content-Type' } })
  const boundary = type.parameters.get('boundary') ?? ''
  // RFC 2046 5.1.1 allows 70 characters.
  if (boundary === '' || boundary.length > 70) throw malformed('The form has no boundary.', 'Content-Type')
  return boundary
}

const malformed = (reason: string, field = 'body', cause?: unknown): FrameworkProblem =>
  new FrameworkProblem('malformed-request', { details: { field, reason }, cause })

/** Ends the reading early, with a result instead of an error. */
class Verdict extends Error {
  readonly outcome: Exclude<MultipartFilesResult<never>['outcome'], 'read'>

  constructor(outcome: Verdict['outcome']) {
    super(outcome)
    this.outcome = outcome
  }
}

/** One form being read. */
class FormReading<T> {
  readonly #options: MultipartFilesOptions<T>
  readonly #dicer: Dicer
  readonly #fields = new Map<string, string>()
  readonly #fieldTasks: Promise<void>[] = []
  readonly #parts = new Set<Readable>()
  readonly #files: Promise<T>[] = []
  #fieldCount = 0
  #awaitsHeader = false
  #stop: (reason: unknown) => void = () => {}

  constructor(boundary: string, options: MultipartFilesOptions<T>) {
    this.#options = options
    this.#dicer = new Dicer({ boundary })
  }

  async read(body: IncomingMessage): Promise<MultipartFilesResult<T>> {
    try {
      await this.#parsed(body)
      await Promise.all(this.#fieldTasks)
      return { outcome: 'read', files: await Promise.all(this.#files), fields: this.#fields }
    } catch (reason) {
      body.unpipe(this.#dicer)
      await this.#abandon(reason)
      if (reason instanceof Verdict) return { outcome: reason.outcome }
      throw reason
    }
  }

  /** Resolves at the closing boundary; rejects at the first error. */
  #parsed(body: IncomingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stop = reject
      this.#dicer.on('part', (part) => this.#onPart(part))
      this.#dicer.on('finish', () => {
        this.#expectHeaderSeen()
        resolve()
      })
      this.#dicer.on('error', (error) => reject(malformed('The form ends before its closing boundary.', 'body', error)))
      // The parser does not report a last part whose header never ended: the reading would wait forever.
      this.#dicer.on('prefinish', () => this.#expectHeaderSeen())
      body.on('error', (error) => reject(malformed('The client went away.', 'body', error)))
      body.on('close', () => body.readableEnded || reject(malformed('The client went away.')))
      body.pipe(this.#dicer)
    })
  }

  #expectHeaderSeen(): void {
    if (this.#awaitsHeader) this.#stop(malformed('A part of the form has no header.'))
  }

  #onPart(part: Readable): void {
    this.#expectHeaderSeen()
    this.#awaitsHeader = true
    this.#parts.add(part)
    // The parser also reports an early end to the part; it may have no reader, and the form's own error says the same.
    part.on('error', () => {})
    part.on('header', (header: Readonly<Record<string, readonly string[]>>) => {
      this.#awaitsHeader = false
      try {
        this.#take(part, header)
      } catch (reason) {
        this.#stop(reason)
      }
    })
  }

  #take(part: Readable, header: Readonly<Record<string, readonly string[]>>): void {
    const disposition = parameterisedValue(header['content-disposition']?.[0] ?? '')
    const name = disposition?.parameters.get('name')
    if (disposition?.value !== 'form-data' || name === undefined) throw malformed('A part of the form has no name.')
    if (this.#isFile(name, disposition)) this.#takeFile(part, disposition, header['content-type']?.[0])
    else this.#fieldTasks.push(this.#readField(part, name).catch((reason) => this.#stop(reason)))
  }

  #isFile(name: string, { parameters }: ParameterisedValue): boolean {
    const { fileField = 'file', isFile = ({ name }) => name === fileField } = this.#options
    return isFile({ name, fileName: parameters.get('filename') })
  }

  #takeFile(part: Readable, { parameters }: ParameterisedValue, contentType = ''): void {
    const fileName = parameters.get('filename') ?? ''
    if (this.#files.length >= this.#options.maxFiles) throw new Verdict('several-files')
    if (fileName === '' && !this.#options.isFile) throw new Verdict('no-file-name')
    const mediaType = parameterisedValue(contentType)?.value ?? 'application/octet-stream'
    const file = { fileName, mediaType, content: this.#contentOf(part) }
    const taken = Promise.all(this.#fieldTasks).then(() => this.#options.onFile(file, this.#fields))
    this.#files.push(taken)
    // What it left unread must still be consumed, or the parts after it never arrive.
    taken.then(
      () => part.resume(),
      (reason) => this.#stop(reason),
    )
  }

  async *#contentOf(part: Readable): AsyncGenerator<Buffer, void> {
    let length = 0
    for await (const chunk of part.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > this.#options.maxFileBytes) throw this.#tooLarge()
      yield chunk
    }
  }

  /** Recorded right here: the receiver of the file may turn what is thrown into an error of its own. */
  #tooLarge(): Verdict {
    const verdict = new Verdict('too-large')
    this.#stop(verdict)
    return verdict
  }

  async #readField(part: Readable, field: string): Promise<void> {
    const { maxFields = 16, maxFieldBytes: limitBytes = 8 * 1024 } = this.#options
    this.#fieldCount += 1
    if (this.#fieldCount > maxFields) throw malformed(`The form has more than ${maxFields} fields.`)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of part as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limitBytes)
        throw new FrameworkProblem('body-too-large', { details: { field, sizeBytes: length, limitBytes } })
      chunks.push(chunk)
    }
    // Of a field given twice the first counts, as in a query.
    if (!this.#fields.has(field)) this.#fields.set(field, decoded(Buffer.concat(chunks)))
  }

  /** Waits until the receivers of files have noticed and cleaned up, before the response. */
  async #abandon(reason: unknown): Promise<void> {
    const error = reason instanceof Error ? reason : new Error('The form was given up.', { cause: reason })
    for (const part of this.#parts) part.destroy(error)
    await Promise.allSettled([...this.#files, ...this.#fieldTasks])
  }
}
