// A document whose signing failed is taken up again: at the document platform, or here.
import type { SigningPlace } from '../../contract/setup.ts'
import type { DocumentView } from '../../contract/signing.ts'
import { placeOf } from '../../parts/signing/desk.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { moveDocument } from '../../store/documents.ts'
import { tellPlatform } from '../../store/items.ts'
import { record } from '../tenants/acting.ts'
import { ownerKindOf } from './platform-outcomes.ts'
import { read, requiredDocument, type SigningDependencies } from './sign-document.ts'

export async function reopen(
  given: SigningDependencies,
  caller: Caller,
  id: string,
  signedAt: SigningPlace | undefined,
  now: Date,
): Promise<DocumentView> {
  const { context, desk } = given
  const document = await requiredDocument(context, caller, id)
  const place = signedAt ?? placeOf(document)
  if (place === 'DocumentPlatform' && placeOf(document) === 'Here')
    throw wrongData({ signedAt: ['the flow of the document names nobody who signs there'] })
  await context.store.transaction(async (tx) => {
    const reopened = await moveDocument(tx, document.id, 'reopen', null, now)
    if (!reopened) throw refuse('invalid-transition', { status: document.status })
    await tellPlatform(tx, ownerKindOf(document), document.owner_id, { signing_error: null })
    const entity = { type: document.owner_kind, id: document.owner_id }
    await record(tx, caller, { type: 'DocumentReopened', entity, data: { signedAt: place } }, now)
    await desk.continue(tx, reopened, now, place)
  })
  return read(given, caller, id)
}
