// The documents of a batch (spec 1 A, Endpoints: POST /v1/signatures/batch). All are received before the first is
// signed: their number is not known earlier.
import { invalidField } from '@chancela/service-kernel/errors'
import { type Call, type FilePart, readMultipartFiles } from '@chancela/service-kernel/http'
import { fileNameOf } from '@chancela/service-kernel/text'
import { refuse } from '../../rules/refuse.ts'
import { HeldDocument } from './held-document.ts'
import {
  type IntakeLimits,
  MEASURED_TIMES,
  OTHER_BYTES,
  refuseLongBody,
  requireSessionId,
  UNNAMED,
} from './read-documents.ts'
import type { BatchItem } from './signing.ts'

export interface IncomingBatch {
  readonly sessionId: string
  readonly items: readonly BatchItem[]
}

export interface BatchLimits extends IntakeLimits {
  readonly maxItems: number
}

/** Bytes of a form around each of its files. */
const PART_BYTES = 1024

/** Reads the body of a batch; releases its buffers when it throws. */
export async function readBatch(request: Call['request'], limits: BatchLimits): Promise<IncomingBatch> {
  const mostBytes = limits.maxItems * (limits.maxBytes + PART_BYTES) + OTHER_BYTES
  const mostRead = mostBytes * MEASURED_TIMES
  refuseLongBody(request, mostBytes, mostRead)
  const held: HeldDocument[] = []
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > mostRead) throw refuse('DOCUMENT_TOO_LARGE', { sizeBytes: bytes, limitBytes: mostBytes })
  }
  try {
    const form = await readMultipartFiles(request, {
      isFile: ({ name }) => name === 'files',
      maxFileBytes: Number.POSITIVE_INFINITY,
      maxFiles: limits.maxItems,
      onFile: (part) => {
        const document = new HeldDocument(fileNameOf(part.fileName, UNNAMED), limits)
        held.push(document)
        return item(part, document, count)
      },
    })
    if (form.outcome !== 'read') throw invalidField('files', `At most ${limits.maxItems} documents can be given.`)
    return { sessionId: requireSessionId(form.fields.get('sessionId')), items: form.files }
  } catch (error) {
    for (const document of held) document.release()
    throw error
  }
}

/** Reads one document to its end, also one that is too large, so that the next can be read. */
async function item({ content }: FilePart, document: HeldDocument, count: (chunk: Buffer) => void): Promise<BatchItem> {
  for await (const chunk of content) {
    count(chunk)
    document.add(chunk)
  }
  const { fileName, excess } = document
  return excess ? { fileName, refusal: excess } : document
}
