// As whom the person who is signed in signs, and what waits for them.
import { changesOf } from '@chancela/service-kernel/events'
import { isCpf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listWaitingDocuments, SignerView, WaitingDocument } from '../../contract/signer.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import type { SigningLinks } from '../../parts/signing/signing-links.ts'
import { documentTitle } from '../../rules/document-titles.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { type Caller, requirePerson } from '../../rules/rights.ts'
import { findItem } from '../../store/items.ts'
import { findSigner, type SigningPerson, writeSigner } from '../../store/signers.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import { ANYBODY, unknownWaits, waitingDocuments } from '../../store/waiting-documents.ts'
import { record } from '../tenants/acting.ts'

interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
  readonly links: SigningLinks
}

/** The person who calls, as they are now. */
export async function requiredSigner({ store }: Pick<Context, 'store'>, caller: Caller): Promise<SigningPerson> {
  requirePerson(caller)
  const found = await findSigner(store.db, caller.id)
  if (!found) throw refuse('forbidden', { reason: 'No role in this subscription.' })
  return found
}

const view = ({ hub, server }: SigningLinks, cpf: string | null): SignerView => ({
  cpf,
  cloud: hub !== undefined,
  token: server !== undefined,
})

export const read = async ({ context, links }: Dependencies, caller: Caller): Promise<SignerView> =>
  view(links, (await requiredSigner(context, caller)).cpf)

/** Whoever says another's CPF gains nothing: everybody here sees these documents, and certificates prove who signs. */
export async function write(
  { context, links }: Dependencies,
  caller: Caller,
  { cpf }: { readonly cpf: string },
  now: Date,
): Promise<SignerView> {
  const { id, cpf: former } = await requiredSigner(context, caller)
  if (!isCpf(cpf)) throw wrongData({ cpf: ['is not a CPF'] })
  await context.store.transaction(async (tx) => {
    await writeSigner(tx, id, cpf, now)
    const changes = changesOf({ cpf: former }, { cpf })
    await record(tx, caller, { type: 'SignerChanged', entity: { type: 'User', id }, data: { cpf }, changes }, now)
  })
  return view(links, cpf)
}

/** Most documents that one list looks into; the worker has looked into nearly all before. */
const AT_ONCE = 500

export async function waiting(
  { context, desk }: Dependencies,
  caller: Caller,
  query: Static<typeof listWaitingDocuments.query>,
) {
  const { db } = context.store
  const { cpf, subscriptionId } = await requiredSigner(context, caller)
  for (const document of await unknownWaits(db, subscriptionId, AT_ONCE)) await desk.noteWaits(document)
  const asked = askedOf(query)
  const signers = cpf === null ? [ANYBODY] : [cpf, ANYBODY]
  const { items, total } = await waitingDocuments(db, { subscriptionId, signers }, asked)
  return pageOf(asked, await Promise.all(items.map((row) => shown(context, row))), total)
}

type Waiting = XmlDocumentRow & { readonly signer: string; readonly institute: string }

const shown = async (context: Context, row: Waiting): Promise<WaitingDocument> => ({
  ...aboutDocument(row, await titleOf(context, row)),
  institute: row.institute,
  byName: row.signer !== ANYBODY,
  creationDate: row.created_at,
})

export const aboutDocument = (row: XmlDocumentRow, title: string) => ({
  documentId: row.id,
  documentKind: row.document_kind,
  ownerKind: row.owner_kind,
  ownerId: row.owner_id,
  title,
})

export const titleOf = async ({ store }: Pick<Context, 'store'>, { owner_kind, owner_id }: XmlDocumentRow) =>
  documentTitle(owner_kind, await findItem(store.db, owner_kind, owner_id))
