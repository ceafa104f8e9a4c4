import { createHash } from 'node:crypto'
import { Semaphore } from '@chancela/service-kernel/concurrency'
import { EngineError } from '@chancela/signature-engine'
import type { Static } from 'typebox'
import { requiredUploads } from '../../actions/uploads/uploads.ts'
import type { DocumentSignaturesInfo } from '../../contract/models.ts'
import type { validateSignatures as contract } from '../../contract/signatures.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { contextOf, requiredContext } from '../../rules/security-contexts.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow } from '../../store/tables.ts'
import { maskCpf } from '../renditions/mask-cpf.ts'
import type { Signing } from './open-signing.ts'
import { publicSigner, type RecordedSignature, signersOf } from './signers-info.ts'

type SignaturesInfo = Static<typeof DocumentSignaturesInfo>

/** Who signed a document; for the public without the data that only the organization may see. */
export async function documentSignatures(
  signing: Signing,
  document: DocumentRow,
  audience: 'organization' | 'everybody',
  now: Date,
): Promise<SignaturesInfo> {
  const signers = document.signatures === 0 ? [] : await currentSigners(signing, document, now)
  return {
    id: document.id,
    name: document.name,
    filename: document.filename,
    mimeType: document.mime_type,
    key: document.key,
    createdBy: { id: document.created_by_id, name: document.created_by_name },
    isConcluded: document.status === 'Concluded',
    isFile: true,
    isEnvelope: document.is_envelope === 1,
    creationDate: document.created_at,
    updateDate: document.updated_at,
    status: document.status,
    type: document.type,
    signatureType: document.signature_type as SignaturesInfo['signatureType'],
    securityContext: contextOf(document),
    digests: {
      original: document.original_digest,
      signed: document.signatures > 0 ? document.current_digest : null,
    },
    signers: audience === 'organization' ? [...signers] : signers.map((signer) => publicSigner(signer, maskCpf)),
  }
}

async function currentSigners(signing: Signing, document: DocumentRow, now: Date) {
  const { store, blobs } = signing.context
  const [file, recorded] = await Promise.all([blobs.read(document.current_digest), recordedOf(store.db, document.id)])
  return signersOf(signing, file, document.format, recorded, now)
}

/** The signatures of a document as they were recorded, with those who made them. */
async function recordedOf(
  db: Signing['context']['store']['db'],
  documentId: string,
): Promise<readonly RecordedSignature[]> {
  const [rows, steps] = await Promise.all([
    db
      .selectFrom('signature')
      .selectAll()
      .where('document_id', '=', documentId)
      .where('kind', '!=', 'approval')
      .orderBy('at')
      .execute(),
    flowOf(db, documentId),
  ])
  const participants = steps.flatMap((step) => step.participants)
  return rows.map((row) => ({ row, participant: participants.find(({ id }) => id === row.participant_id) }))
}

/** Verdicts for everybody that run at the same time, and that may wait for one. */
const AT_ONCE = 2
const MOST_WAITING = 20
const places = new Semaphore(AT_ONCE)

/** Validates a file that anybody brings, and forgets it: nothing of it is kept. */
export async function validateForEverybody(signing: Signing, file: Uint8Array, now: Date) {
  if (places.waiting >= MOST_WAITING) throw refuse('ServiceBusy')
  const leave = await places.take()
  try {
    const signers = await validated(signing, file, now)
    return { sha256: sha256(file), signers: signers.map((signer) => publicSigner(signer, maskCpf)) }
  } finally {
    leave()
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Validates the signatures of an uploaded file. */
export async function validateUpload(
  signing: Signing,
  caller: Caller,
  { fileId, securityContextId }: Static<typeof contract.body>,
  now: Date,
) {
  // Every signature is judged by the anchors of the instance, in any of its contexts; another one is not known here.
  if (securityContextId) requiredContext(signing.context.settings.Documents.SecurityContexts, securityContextId)
  const [upload] = await requiredUploads(signing.context, caller, [fileId])
  return validated(signing, await signing.context.blobs.read(upload!.digest), now)
}

async function validated(signing: Signing, file: Uint8Array, now: Date) {
  try {
    return [...(await signersOf(signing, file, formatOf(file), [], now))]
  } catch (error) {
    if (error instanceof EngineError) throw refuse('DocumentTypeNotSupported', { reason: error.message }, error)
    throw error
  }
}

/** Format of a file by its first bytes: the file name is not reliable. */
function formatOf(file: Uint8Array): SignatureFormat {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 1024)).toString('latin1')
  if (start.includes('%PDF-')) return 'Pades'
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(start) ? 'Xades' : 'Cades'
}
