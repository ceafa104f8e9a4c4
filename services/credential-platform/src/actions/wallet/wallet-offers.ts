// Links by which students fetch their credentials: made by the institution, unguessable, used once.
import { hash, randomBytes } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { newRowId } from '@chancela/service-kernel/store'
import type { WalletOffer, WalletOfferView } from '../../contract/wallet-offers.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { findItem, type RowOfKind } from '../../store/items.ts'
import { findOffer, insertOffer, useOffer } from '../../store/wallet-offers.ts'
import type { WalletKind, WalletOfferRow } from '../../store/wallet-tables.ts'
import { requiredItem } from '../items/item-reads.ts'
import { record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { requireValid, signedCredential, type Wallets } from './wallet-credentials.ts'

const hashOf = (ticket: string): string => hash('sha256', ticket, 'base64url')

/** A link for the student. Each one stands alone: a lost link is replaced by another. */
export async function makeOffer(
  { context }: Wallets,
  caller: Caller,
  kind: WalletKind,
  id: string,
  now: Date,
): Promise<WalletOffer> {
  const { store, settings } = context
  const item = await requiredItem(store.db, caller, kind, id)
  requireValid(item)
  const { public_url } = await requiredInstitute(store.db, caller, item.institute_id)
  const ticket = randomBytes(32).toString('base64url')
  const row: WalletOfferRow = {
    id: newRowId(now),
    subscription_id: caller.subscriptionId,
    item_kind: kind,
    item_id: item.id,
    ticket_hash: hashOf(ticket),
    created_at: now.toISOString(),
    expires_at: plus(now, settings.Wallet.OfferHours * HOUR).toISOString(),
    used_at: null,
  }
  await store.transaction(async (tx) => {
    await insertOffer(tx, row)
    await record(tx, caller, { type: 'WalletOfferMade', entity: { type: kind, id: item.id } }, now)
  })
  return { url: `${public_url}/wallet/${ticket}`, expirationDate: row.expires_at }
}

interface Opened {
  readonly offer: WalletOfferRow
  readonly item: RowOfKind<WalletKind>
}

/** What is offered; a link that is over, was used or never was leads nowhere, and so does one to what is not valid. */
async function opened({ context }: Wallets, ticket: string, now: Date): Promise<Opened> {
  const { db } = context.store
  const offer = await findOffer(db, hashOf(ticket), now)
  const item = offer && (await findItem(db, offer.item_kind, offer.item_id))
  if (!offer || item?.status !== 'Concluded') throw refuse('offer-not-found')
  return { offer, item }
}

/** What the page behind a link shows; looking uses nothing up. */
export async function readOffer(wallets: Wallets, ticket: string, now: Date): Promise<WalletOfferView> {
  const { offer, item } = await opened(wallets, ticket, now)
  return {
    kind: offer.item_kind,
    studentName: item.student_social_name ?? item.student_name,
    course: item.course,
    issuingIes: item.issuing_ies,
    expirationDate: offer.expires_at,
  }
}

/** Hands the credential over and uses the link up; what fails before is not used. */
export async function takeOffer(wallets: Wallets, ticket: string, now: Date) {
  const { offer, item } = await opened(wallets, ticket, now)
  const token = await signedCredential(wallets, offer.item_kind, item, now)
  if (!(await useOffer(wallets.context.store.db, offer.id, now))) throw refuse('offer-not-found')
  return { token, code: item.verification_code! }
}
