import { emitEvents } from '@chancela/outbox/webhooks'
import { notify } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { SignatureType } from '../../contract/documents.ts'
import { webhookEventTypes } from '../../contract/webhooks.ts'
import type { KeptFile } from '../../parts/files/files.ts'
import type { FoundSigner } from '../../parts/signing/finish-signature.ts'
import { newDocumentKey } from '../../rules/document-key.ts'
import { type Metadata, mergedMetadata } from '../../rules/metadata.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { findApplication } from '../../store/applications.ts'
import { findKey, insertKeys, useKey } from '../../store/document-keys.ts'
import type { DocumentRow } from '../../store/document-tables.ts'
import { insertDocument } from '../../store/documents.ts'
import type { Tables } from '../../store/tables.ts'

/** A document that was just signed; its bytes are durable. */
export interface NewDocument {
  readonly id: string
  /** One that was allocated before; null: a new one. */
  readonly key: string | null
  readonly type: SignatureType
  readonly original: KeptFile
  readonly signed: KeptFile
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
  { subscriptionId, applicationId }: Pick<Caller, 'subscriptionId' | 'applicationId'>,
  document: NewDocument,
  now: Date,
): Promise<DocumentRow> {
  const owner = { subscription_id: subscriptionId, application_id: applicationId }
  const key = document.key ?? newDocumentKey()
  if (document.key === null) await insertKeys(tx, [key], owner, null, now)
  const provisional = (await findKey(tx, subscriptionId, key))?.provisional_metadata
  if (!(await useKey(tx, subscriptionId, key, document.id, now))) throw refuse('DocumentKeyAlreadyUsed')
  const given = mergedMetadata(provisional ? JSON.parse(provisional) : {}, document.metadata ?? {})
  const metadata = mergedMetadata(await stampedMetadata(tx, applicationId), given)
  const row: DocumentRow = {
    id: document.id,
    ...owner,
    key,
    signature_type: document.type,
    original_digest: document.original.digest,
    original_size: document.original.size,
    original_name: document.original.name,
    original_type: document.original.contentType,
    signed_digest: document.signed.digest,
    signed_size: document.signed.size,
    signed_name: document.signed.name,
    signed_type: document.signed.contentType,
    metadata: JSON.stringify(metadata),
    available_until: null,
    created_at: now.toISOString(),
  }
  const signers = document.signers.map(({ certificate, date }) => ({
    certificate: certificate.der.toString('base64'),
    signed_at: date.toISOString(),
  }))
  await insertDocument(tx, row, signers)
  // Its links expire: the body is written when it is sent.
  const event = { ownerId: subscriptionId, type: webhookEventTypes[0], subject: row.id, body: null }
  await emitEvents({ notify }, tx, [event], now)
  return row
}
