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
  refuseLongBody(request, limits, limits.maxBytes + OTHER_BYTES)
  let held: HeldDocument | undefined
  try {
    const form = await readMultipartFiles(request, {
      isFile: ({ name }) => name === 'document',
      maxFileBytes: Number.POSITIVE_INFINITY,
      maxFiles: 1,
      onFile: (part) => {
        held = new HeldDocument(fileNameOf(part.fileName, UNNAMED), {
          ...limits,
          declaredBytes: declaredBytes(request),
        })
        return hold(part, held)
      },
    })
    if (form.outcome !== 'read') throw invalidField('document', 'Only one document can be given.')
    return { sessionId: requireSessionId(form.fields.get('sessionId')), document: form.files[0] }
  } catch (error) {
    held?.release()
    throw error
  }
}

/** Receives a file; throws when it is too large or the memory budget is exhausted. */
async function hold({ content }: FilePart, document: HeldDocument): Promise<HeldDocument> {
  for await (const chunk of content) document.add(chunk)
  return document
}

/** Room for the line breaks and escapes that base64 may come with. */
const jsonBytes = (documentBytes: number): number => Math.ceil((documentBytes * 5) / 3) + OTHER_BYTES

async function readJson(request: Request, limits: IntakeLimits): Promise<IncomingDocument> {
  refuseLongBody(request, limits, jsonBytes(limits.maxBytes))
  const fresh = () => new HeldDocument('', { ...limits, declaredBytes: declaredBytes(request) })
  let held = fresh()
  try {
    const fields = await readJsonWithBytes(request, {
      bytesField: 'document',
      maxBodyBytes: jsonBytes(limits.maxBytes),
      maxOtherBytes: OTHER_BYTES,
      onBegin: () => {
        held.release()
        held = fresh()
      },
      onBytes: (bytes) => held.add(bytes),
    })
    const sessionId = requireSessionId(fields.sessionId)
    held.fileName = requireFileName(fields.fileName)
    return { sessionId, document: isPresent(fields.document) ? held : undefined }
  } catch (error) {
    held.release()
    throw error
  }
}

function isPresent(document: unknown): boolean {
  if (document === undefined || document === null) return false
  if (typeof document !== 'string') throw invalidField('document', 'Must be text: the document in base64.')
  return true
}

/** A body whose Content-Length is too long is not read at all. */
export function refuseLongBody(request: Request, { maxBytes: limitBytes }: IntakeLimits, most: number): void {
  const sizeBytes = declaredBytes(request)
  if (sizeBytes !== undefined && sizeBytes > most) throw refuse('DOCUMENT_TOO_LARGE', { sizeBytes, limitBytes })
}

const LONGEST_SESSION_ID = 200

export function requireSessionId(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidField('sessionId', 'Is required.')
  if (typeof value !== 'string') throw invalidField('sessionId', 'Must be text.')
  if (value.length > LONGEST_SESSION_ID) throw invalidField('sessionId', 'Is longer than any.')
  return value
}

const LONGEST_NAME = 260

function requireFileName(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalidField('fileName', 'Is required.')
  if (typeof value !== 'string') throw invalidField('fileName', 'Must be text.')
  if (value.length > LONGEST_NAME) throw invalidField('fileName', `May have ${LONGEST_NAME} characters.`)
  return fileNameOf(value, UNNAMED)
}
