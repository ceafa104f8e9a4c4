// The bytes of documents in their forms (document-platform facts 1.8).
import type { Readable } from 'node:stream'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import { withoutUnseen } from '@chancela/service-kernel/text'
import type { Context } from '../../context.ts'
import type { contentTypes } from '../../contract/documents.ts'
import { isStillTied } from '../../parts/access/tickets.ts'
import { refuse } from '../../rules/refuse.ts'
import type { DocumentStatus, SignatureFormat } from '../../rules/vocabulary.ts'
import { documentById } from '../../store/document-reads.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { AttachmentRow, DocumentRow, UploadRow } from '../../store/tables.ts'
import { type Reader, renditions } from './content-renditions.ts'

export type ContentType = (typeof contentTypes)[number]

/** Bytes sent to the client. */
export interface Content {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly bytes: () => Promise<Readable | Buffer>
}

const isEnded: Readonly<Record<DocumentStatus, boolean>> = {
  Pending: false,
  FlowConcluded: false,
  Concluded: false,
  Refused: true,
  Canceled: true,
  Expired: true,
}

/** Forms of a document that ended without conclusion: it has no file that everybody agreed on. */
const ofEnded: ReadonlySet<ContentType> = new Set<ContentType>(['Original', 'PrinterFriendlyVersion'])

/** A document in one of its forms; refused where it has none of this type in its status. */
export async function contentOf(
  context: Context,
  document: DocumentRow,
  type: ContentType,
  reader: Reader,
): Promise<Content> {
  requireContent(context, document, type)
  if (type === 'Original') return stored(context, document.original_digest, document.filename, document.mime_type)
  if (type === 'Signatures') return signedContent(context, document)
  const { suffix, make } = renditions[type]
  const pdf = await make(context, document, reader)
  const name = `${stemOf(document.filename)}.${suffix}.pdf`
  return { name, contentType: PDF, size: pdf.length, bytes: async () => pdf }
}

const PDF = 'application/pdf'

/** Refuses a form the document does not have in its status. */
export function requireContent(context: Context, document: DocumentRow, type: ContentType): void {
  if (!isAvailable(context, document, type))
    throw refuse('DocumentVersionNotAvailable', { type, status: document.status })
}

function isAvailable({ settings }: Context, { status, format, signatures }: DocumentRow, type: ContentType): boolean {
  if (status === 'Refused' && !settings.Documents.EnableRefusedDocumentDownload) return false
  if (isEnded[status] && !ofEnded.has(type)) return false
  if (type === 'Signatures') return signatures > 0
  return type === 'Original' || type === 'SignaturesManifest' || format === 'Pades'
}

/** File name and content type of a signed file. */
const signedForms: Readonly<
  Record<SignatureFormat, { name: (filename: string) => string; contentType: string | undefined }>
> = {
  Pades: { name: (filename) => `${stemOf(filename)}.signed.pdf`, contentType: PDF },
  Cades: { name: (filename) => `${filename}.p7s`, contentType: 'application/pkcs7-signature' },
  Xades: { name: (filename) => `${stemOf(filename)}.signed.xml`, contentType: undefined },
}

function signedContent(context: Context, document: DocumentRow): Promise<Content> {
  const { name, contentType = document.mime_type } = signedForms[document.format]
  return stored(context, document.current_digest, name(document.filename), contentType)
}

const stemOf = (filename: string): string => filename.replace(/\.[^.]*$/, '') || filename

/** Names and types that earlier versions kept are served by the rules of today. */
async function stored({ blobs }: Context, digest: string, name: string, stated: string): Promise<Content> {
  const contentType = mediaTypeOrAny(stated)
  return { name: withoutUnseen(name), contentType, size: await blobs.size(digest), bytes: () => blobs.stream(digest) }
}

/** An attachment of a document. */
export async function attachmentContent(context: Context, documentId: string, attachmentId: string): Promise<Content> {
  const attachment = await context.store.db
    .selectFrom('attachment')
    .selectAll()
    .where('id', '=', attachmentId.toLowerCase())
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  if (!attachment) throw refuse('AttachmentNotFound', { id: attachmentId })
  return fileContent(context, attachment)
}

const fileContent = (context: Context, file: Pick<AttachmentRow | UploadRow, 'digest' | 'name' | 'content_type'>) =>
  stored(context, file.digest, file.name, file.content_type)

/** Validity of a ticket for content, in minutes. */
const TICKET_MINUTES = 60

/** Path, relative to the base URL, that serves the bytes without a key until its ticket expires. */
export const contentLocation = (
  { tickets }: Pick<Context, 'tickets'>,
  allowed:
    | {
        readonly documentId: string
        readonly type: ContentType | 'Attachment'
        readonly id?: string
        /** The participant whose page has the path, with the stamp of the address. */
        readonly participantId?: string
        readonly addressStamp?: string
        readonly revocations?: number
      }
    | { readonly type: 'Upload'; readonly id: string },
): string =>
  `/api/documents/content?access_ticket=${encodeURIComponent(tickets.make('content', allowed, TICKET_MINUTES))}`

/** Where everybody reads a document, if it is concluded and its organization makes such documents public. */
export async function publicLocation(context: Context, document: DocumentRow): Promise<string | null> {
  if (document.status !== 'Concluded') return null
  const organization = await findOrganization(context.store.db, document.organization_id)
  return organization?.public_documents === 1
    ? contentLocation(context, { documentId: document.id, type: 'Signatures' })
    : null
}

/** What a ticket gives; refused when what it was for is gone. */
export async function ticketContent(context: Context, ticket: string, reader: Reader): Promise<Content> {
  const allowed = context.tickets.read('content', ticket)
  const { documentId, type, id } = allowed
  if (type === 'Upload') return uploadContent(context, id!)
  const document = await documentById(context.store.db, documentId!)
  if (!document || document.deleted_at !== null) throw refuse('ActionTicketInvalidOrExpired')
  if (!(await isStillGood(context, document, allowed))) throw refuse('ActionTicketInvalidOrExpired')
  if (type === 'Attachment') return attachmentContent(context, document.id, id!)
  return contentOf(context, document, type as ContentType, reader)
}

interface Allowed {
  readonly participantId?: string
  readonly addressStamp?: string
  readonly revocations?: number
}

/** Members' addresses of files are their own affair; those of participants and of mails can be revoked. */
async function isStillGood(context: Pick<Context, 'store'>, document: DocumentRow, allowed: Allowed): Promise<boolean> {
  if (allowed.participantId !== undefined) return isStillShown(context, document, allowed)
  return allowed.revocations === undefined || allowed.revocations === document.revocations
}

/** A participant reads no document that was canceled, nor one that they were taken out of or have another address in. */
async function isStillShown(
  { store }: Pick<Context, 'store'>,
  { status }: DocumentRow,
  allowed: Allowed,
): Promise<boolean> {
  if (status === 'Canceled') return false
  const participant = await store.db
    .selectFrom('participant')
    .select(['email', 'revocations'])
    .where('id', '=', allowed.participantId!)
    .executeTakeFirst()
  return participant !== undefined && isStillTied(allowed, participant)
}

async function uploadContent(context: Context, id: string): Promise<Content> {
  const upload = await context.store.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
  if (!upload) throw refuse('ActionTicketInvalidOrExpired')
  return fileContent(context, upload)
}
