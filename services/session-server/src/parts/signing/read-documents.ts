// Incoming documents (spec 1 A, Endpoints: POST /v1/signatures): as base64 in JSON, or as files of a form. Their bytes
// are counted and held as they arrive, never as base64 and bytes at once.
import { invalidField } from '@chancela/service-kernel/errors'
import { type Call, type FilePart, readJsonWithBytes, readMultipartFiles } from '@chancela/service-kernel/http'
import { fileNameOf } from '@chancela/service-kernel/text'
import { refuse } from '../../rules/refuse.ts'
import { type DocumentLimits, HeldDocument } from './held-document.ts'

type Request = Call['request']

export type IntakeLimits = Pick<DocumentLimits, 'maxBytes' | 'room'>

/** A document that a client wants signed. */
export interface IncomingDocument {
  readonly sessionId: string
  /** Undefined when none was sent. */
  readonly document: HeldDocument | undefined
}

/** For a form part without a file name. */
export const UNNAMED = 'document.pdf'

/** What a form or an object has besides documents: names and a session. */
export const OTHER_BYTES = 64 * 1024

const declaredBytes = ({ headers }: Request): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** Reads the body of a single signature; releases its buffers when it throws. */
export const readIncomingDocument = (request: Request, limits: IntakeLimits): Promise<IncomingDocument> =>
  isForm(request) ? readForm(request, limits) : readJson(request, limits)

const isForm = ({ headers }: Request): boolean => /^multipart\//i.test(headers['content-type'] ?? '')

async function readForm(request: Request, limits: IntakeLimits): Promise<IncomingDocument> {
  const longest = limits.maxBytes + OTHER_BYTES
  refuseLongBody(request, longest, longest * MEASURED_TIMES)
  let held: HeldDocument | undefined
  try {
    const form = await readMultipartFiles(request, {
      isFile: ({ name }) => name === 'document',
      maxFileBytes: Number.POSITIVE_INFINITY,
      maxFiles: 1,
      onFile: (part) => {
        held = new HeldDocument(fileNameOf(part.fileName, UNNAMED), limits)
        return hold(part, held, longest * MEASURED_TIMES)
      },
    })
    if (form.outcome !== 'read') throw invalidField('document', 'Only one document can be given.')
    return { sessionId: requireSessionId(form.fields.get('sessionId')), document: form.files[0] }
  } catch (error) {
    held?.release()
    throw held?.excess ?? error
  }
}

/** Receives a file; throws when it is too large or the memory budget is exhausted. */
async function hold({ content }: FilePart, document: HeldDocument, mostMeasured: number): Promise<HeldDocument> {
  for await (const chunk of content) {
    document.add(chunk)
    if (document.bytes > mostMeasured) break
  }
  if (document.excess) throw document.excess
  return document
}

/** Room for the line breaks and escapes that base64 may come with. */
const jsonBytes = (documentBytes: number): number => Math.ceil((documentBytes * 5) / 3) + OTHER_BYTES

async function readJson(request: Request, limits: IntakeLimits): Promise<IncomingDocument> {
  const longest = jsonBytes(limits.maxBytes)
  refuseLongBody(request, longest, longest * MEASURED_TIMES)
  const fresh = () => new HeldDocument('', limits)
  let held = fresh()
  try {
    const fields = await readJsonWithBytes(request, {
      bytesField: 'document',
      maxBodyBytes: longest * MEASURED_TIMES,
      maxOtherBytes: OTHER_BYTES,
      onBegin: () => {
        held.release()
        held = fresh()
      },
      onBytes: (bytes) => held.add(bytes),
    })
    if (held.excess) throw held.excess
    const sessionId = requireSessionId(fields.sessionId)
    held.fileName = requireFileName(fields.fileName)
    return { sessionId, document: isPresent(fields.document) ? held : undefined }
  } catch (error) {
    held.release()
    // Whatever else is wrong: it would be too large also without that.
    throw held.excess ?? error
  }
}

function isPresent(document: unknown): boolean {
  if (document === undefined || document === null) return false
  if (typeof document !== 'string') throw invalidField('document', 'Must be text: the document in base64.')
  return true
}

/**
 * How many times the longest allowed body is read, to tell the size of a document that is too large (it is known only
 * when all of it was decoded), and so that it does not fail the others of its batch.
 */
export const MEASURED_TIMES = 8

/** A body whose Content-Length is far too long is not read at all; both sizes are then those of bodies. */
export function refuseLongBody(request: Request, limitBytes: number, most: number): void {
  const sizeBytes = declaredBytes(request)
  if (sizeBytes !== undefined && sizeBytes > most) throw refuse('DOCUMENT_TOO_LARGE', { sizeBytes, limitBytes })
}

export function requireSessionId(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidField('sessionId', 'Is required.')
  if (typeof value !== 'string') throw invalidField('sessionId', 'Must be text.')
  return value
}

const LONGEST_NAME = 260

function requireFileName(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidField('fileName', 'Is required.')
  if (typeof value !== 'string') throw invalidField('fileName', 'Must be text.')
  if (value.length > LONGEST_NAME) throw invalidField('fileName', `May have ${LONGEST_NAME} characters.`)
  return fileNameOf(value, UNNAMED)
}
