// How the sending of a document ends: with what was signed, or for a reason.
import type { Context } from '../../context.ts'
import { moveDocument } from '../../store/documents.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { tellPlatform } from '../../store/items.ts'
import { moveSending } from '../../store/platform-documents.ts'
import type { PlatformDocumentRow } from '../../store/platform-tables.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'

type OwnerKind = Parameters<typeof tellPlatform>[1]

export const ownerKindOf = ({ owner_kind }: XmlDocumentRow): OwnerKind => owner_kind as OwnerKind

/** Who does what the document platform told of. */
const platformActor = {
  actor_kind: 'worker',
  actor_id: 'document-platform',
  actor_name: 'document platform',
} as const

/** The item stays as it is, and says why; somebody reopens the document. */
export function failSigning(
  { store }: Context,
  sending: PlatformDocumentRow,
  document: XmlDocumentRow,
  reason: string,
  now: Date,
): Promise<void> {
  return store.transaction(async (tx) => {
    if (!(await moveSending(tx, sending.id, 'fail', { error: reason }, now))) return
    await moveDocument(tx, document.id, 'fail', reason, now)
    await tellPlatform(tx, ownerKindOf(document), document.owner_id, { signing_error: reason })
    await recordEvents(tx, [eventOf('DocumentSigningFailed', sending, document, { reason })], now)
  })
}

export const eventOf = (
  type: string,
  { signer_document_id }: Pick<PlatformDocumentRow, 'signer_document_id'>,
  { subscription_id, owner_kind, owner_id, document_kind }: XmlDocumentRow,
  more: object = {},
) => ({
  subscription_id,
  type,
  ...platformActor,
  entity_type: owner_kind,
  entity_id: owner_id,
  data: { documentKind: document_kind, signerDocumentId: signer_document_id, ...more },
})
