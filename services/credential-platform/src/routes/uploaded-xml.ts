// The XML of a call: its body, or the file of its form.
import { bodyPieces, type Call, readMultipart } from '@chancela/service-kernel/http'
import { refuse } from '../rules/refuse.ts'

type Request = Call['request']

/** The body of a call, never more of it in memory than may be. */
export const xmlBody = (request: Request, limit: number): Promise<Buffer> => collected(bodyPieces(request), limit)

/** The one file of a form, and its other fields. */
export async function xmlForm(request: Request, maxFileBytes: number) {
  const onFile = ({ content }: { readonly content: AsyncIterable<Buffer> }) => collected(content, maxFileBytes)
  const form = await readMultipart(request, { maxFileBytes, onFile })
  if (form.outcome === 'read') return { bytes: form.file, fields: form.fields }
  throw form.outcome === 'too-large'
    ? refuse('request-too-large', { limit: maxFileBytes })
    : refuse('invalid-request', { fields: { file: ['must be one file'] } })
}

/** Whichever of the two was sent. */
export async function anyXml(request: Request, limit: number): Promise<Buffer> {
  const isForm = request.headers['content-type']?.trim().toLowerCase().startsWith('multipart/')
  return isForm ? (await xmlForm(request, limit)).bytes : xmlBody(request, limit)
}

async function collected(pieces: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > limit) throw refuse('request-too-large', { limit })
    parts.push(piece)
  }
  return Buffer.concat(parts)
}
