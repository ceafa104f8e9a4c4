import { emitEvents } from '@chancela/outbox/webhooks'
import { notify } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { SignatureType } from '../../contract/documents.ts'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import type { KeptFile } from '../../parts/files/files.ts'
import type { FoundSigner } from '../../parts/signing/finish-signature.ts'
import type { KeyHolder } from '../../parts/signing/prepare-signature.ts'
import { newDocumentKey } from '../../rules/document-key.ts'
import { type Metadata, mergedMetadata } from '../../rules/metadata.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { findApplication } from '../../store/applications.ts'
import { findKey, useKey } from '../../store/document-keys.ts'
import { type DocumentRows, insertDocument } from '../../store/documents.ts'
import type { Tables } from '../../store/tables.ts'
import { remember } from '../certificates/remember-certificate.ts'

/** A document that was just signed; its bytes are durable. */
export interface NewDocument {
  readonly id: string
  /** One that was allocated before; null: a new one. */
  readonly key: string | null
  readonly type: SignatureType
  readonly original: KeptFile
  readonly signed: KeptFile
  /** Who signed it here. */
  readonly signer: KeyHolder
  /** Everybody who signed it, in the order of the file. */
  readonly signers: readonly FoundSigner[]
  /** What the caller says of it, beside what its key has. */
  readonly metadata?: Metadata
}

/** What the application has on every document of its. */
async function stampedMetadata(tx: Transaction<Tables>, applicationId: string): Promise<Metadata> {
  const application = await findApplication(tx, applicationId)
  return JSON.parse(application?.default_metadata ?? '{}')
}

/** Records it with its key, signers, metadata and webhook; in the transaction of whatever ends with it. */
export async function recordDocument(
  tx: Transaction<Tables>,
  caller: Pick<Caller, 'subscriptionId' | 'applicationId'>,
  document: NewDocument,
  now: Date,
): Promise<DocumentRows> {
  const { subscriptionId, applicationId } = caller
  const provisional = document.key === null ? {} : await takeKey(tx, subscriptionId, document.key, document.id, now)
  const given = mergedMetadata(provisional, document.metadata ?? {})
  const metadata = mergedMetadata(await stampedMetadata(tx, applicationId), given)
  const rows = rowsOf(caller, document, metadata, now)
  await insertDocument(tx, rows)
  await remember(tx, subscriptionId, document.signer.certificate, document.signer.chain, now)
  // Its links expire: the body is written when it is sent.
  const event = { ownerId: subscriptionId, type: webhookEventTypes[0], subject: document.id, body: null }
  await emitEvents({ notify }, tx, [event], now)
  return rows
}

/** The metadata that wait at a key; of two documents that want it one gets it. */
async function takeKey(
  tx: Transaction<Tables>,
  subscriptionId: string,
  key: string,
  documentId: string,
  now: Date,
): Promise<Metadata> {
  const provisional = (await findKey(tx, subscriptionId, key))?.provisional_metadata
  if (!(await useKey(tx, subscriptionId, key, documentId, now))) throw refuse('DocumentKeyAlreadyUsed')
  return provisional ? JSON.parse(provisional) : {}
}

function rowsOf(
  { subscriptionId, applicationId }: Pick<Caller, 'subscriptionId' | 'applicationId'>,
  document: NewDocument,
  metadata: Metadata,
  now: Date,
): DocumentRows {
  const { id, original, signed } = document
  const owner = { subscription_id: subscriptionId, application_id: applicationId }
  const [key, at] = [document.key ?? newDocumentKey(), now.toISOString()]
  const used = { key, ...owner, provisional_metadata: null, document_id: id, created_at: at, used_at: at }
  return {
    document: {
      id,
      ...owner,
      key,
      signature_type: document.type,
      original_digest: original.digest,
      original_size: original.size,
      original_name: original.name,
      original_type: original.contentType,
      signed_digest: signed.digest,
      signed_size: signed.size,
      signed_name: signed.name,
      signed_type: signed.contentType,
      metadata: JSON.stringify(metadata),
      available_until: null,
      created_at: at,
    },
    signers: document.signers.map(({ certificate, date }, position) => ({
      document_id: id,
      position,
      certificate: certificate.der.toString('base64'),
      signed_at: date.toISOString(),
    })),
    newKey: document.key === null ? used : undefined,
  }
}
