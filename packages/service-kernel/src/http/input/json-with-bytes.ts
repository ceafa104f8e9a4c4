import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import { Base64Stream, NoBase64 } from './base64-stream.ts'
import { discardRest } from './discard-rest.ts'
import { JsonSplitter } from './json-splitter.ts'

export interface JsonWithBytesOptions {
  /** The field of the object with base64 bytes. */
  readonly bytesField: string
  /** Whether its name may be written in any case. Default false. */
  readonly anyCaseNames?: boolean
  /** Largest body, base64 and all. */
  readonly maxBodyBytes: number
  /** Largest body without the base64. */
  readonly maxOtherBytes: number
  /** The field begins; a repeated field discards what came before, as with any field given twice. */
  onBegin(): void
  /** Receives bytes as they arrive; when it throws, so does the reading. */
  onBytes(bytes: Buffer): void
}

/**
 * Reads a JSON object from a route with `streamed: true` and decodes the bytes in one of its fields as they arrive:
 * text and bytes are never both in memory. The returned object has an empty text where the bytes were. An empty body is
 * an empty object. Throws FrameworkProblem for a body that is no JSON object, is too large or ends early.
 */
export async function readJsonWithBytes(
  { raw }: FastifyRequest,
  options: JsonWithBytesOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const reading = new JsonReading(options, declaredLength(raw))
  try {
    await everyChunk(raw, (chunk) => reading.push(chunk))
    return reading.end()
  } finally {
    discardRest(raw)
  }
}

const declaredLength = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

function everyChunk(body: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk)
      } catch (error) {
        body.off('data', onData)
        reject(error)
      }
    }
    const leave = (cause?: unknown): void => reject(malformed('body', 'The client went away.', cause))
    if (body.readableEnded) return resolve()
    if (body.destroyed) return leave()
    body.on('data', onData).on('end', resolve).on('error', leave)
    body.on('close', () => body.readableEnded || leave())
  })
}

const malformed = (field: string, reason: string, cause?: unknown): FrameworkProblem =>
  new FrameworkProblem('malformed-request', { details: { field, reason }, cause })

/** One object being read. */
class JsonReading {
  readonly #options: JsonWithBytesOptions
  readonly #declared: number | undefined
  readonly #splitter: JsonSplitter
  readonly #others: Buffer[] = []
  #base64: Base64Stream
  #otherBytes = 0
  #bytes = 0

  constructor(options: JsonWithBytesOptions, declared: number | undefined) {
    this.#options = options
    this.#declared = declared
    this.#base64 = new Base64Stream(options.onBytes)
    const pieces = {
      other: (bytes: Buffer) => this.#keep(bytes),
      begin: () => {
        this.#base64 = new Base64Stream(options.onBytes)
        options.onBegin()
      },
      text: (piece: string) => this.#base64.push(piece),
      end: () => this.#base64.end(),
    }
    this.#splitter = new JsonSplitter(options.bytesField, pieces, options.anyCaseNames)
    if (declared !== undefined && declared > options.maxBodyBytes) throw this.#tooLarge(options.maxBodyBytes)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#options.maxBodyBytes) throw this.#tooLarge(this.#options.maxBodyBytes)
    try {
      this.#splitter.push(chunk)
    } catch (error) {
      if (error instanceof NoBase64) throw malformed(this.#options.bytesField, `No base64: ${error.message}`, error)
      throw error
    }
  }

  end(): Readonly<Record<string, unknown>> {
    // A byte order mark is not JSON, but some clients write one.
    const text = Buffer.concat(this.#others)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    return text === '' ? {} : objectIn(text)
  }

  #keep(bytes: Buffer): void {
    this.#otherBytes += bytes.length
    if (this.#otherBytes > this.#options.maxOtherBytes) throw this.#tooLarge(this.#options.maxOtherBytes)
    this.#others.push(bytes)
  }

  #tooLarge(limitBytes: number): FrameworkProblem {
    return new FrameworkProblem('body-too-large', { details: { sizeBytes: this.#declared ?? this.#bytes, limitBytes } })
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('body', 'No JSON object.')
  return value as Readonly<Record<string, unknown>>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FrameworkProblem('invalid-json', { details: { field: 'body' }, cause: error })
  }
}
