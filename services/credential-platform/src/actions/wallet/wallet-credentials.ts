// A degree or a transcript as the student's wallet holds it, signed by a key of the institution.
import { readDocument, uniqueUrl } from '@chancela/academic-documents/layouts'
import {
  type CredentialInput,
  degreeCredential,
  transcriptCredential,
  WalletProblem,
} from '@chancela/academic-documents/wallet'
import type { Context } from '../../context.ts'
import type { Issuer, IssuerKeys } from '../../parts/wallet/issuer-keys.ts'
import { refuse } from '../../rules/refuse.ts'
import { shownBody } from '../../rules/representation-data.ts'
import type { Caller } from '../../rules/rights.ts'
import { newestFile } from '../../store/documents.ts'
import type { RowOfKind } from '../../store/items.ts'
import { entryOf } from '../../store/wallet-entries.ts'
import type { WalletKind } from '../../store/wallet-tables.ts'
import { requiredItem } from '../items/item-reads.ts'

export interface Wallets {
  readonly context: Context
  readonly issuerKeys: IssuerKeys
}

type Item = RowOfKind<WalletKind>

const kinds = {
  Degree: { xml: 'public-xml', make: (input: CredentialInput<never>) => degreeCredential(input) },
  AcademicTranscript: { xml: 'xml', make: (input: CredentialInput<never>) => transcriptCredential(input) },
} as const

/** What is not valid now is handed to nobody. */
export function requireValid({ status }: Pick<Item, 'status'>): void {
  if (status !== 'Concluded') throw refuse('invalid-transition', { status, allowed: 'Concluded' })
}

/** The credential of an item of the caller's organization. */
export async function readCredential(wallets: Wallets, caller: Caller, kind: WalletKind, id: string, now: Date) {
  const item = await requiredItem(wallets.context.store.db, caller, kind, id)
  return signedCredential(wallets, kind, item, now)
}

/** Signed anew each time, by the key of the day; place and salt stay. */
export async function signedCredential(wallets: Wallets, kind: WalletKind, item: Item, now: Date): Promise<string> {
  requireValid(item)
  const { context, issuerKeys } = wallets
  const { public_url } = await context.store.db
    .selectFrom('institute')
    .select('public_url')
    .where('id', '=', item.institute_id)
    .executeTakeFirstOrThrow()
  const issuer = await issuerKeys.issuer({ id: item.institute_id, public_url }, now)
  const input = await credentialInput(context, issuer, public_url, kind, item, now)
  return issuerKeys.sign(made(kind, input), issuer, await issuerKeys.current(issuer, now))
}

async function credentialInput(
  { store, blobs }: Context,
  issuer: Issuer,
  publicUrl: string,
  kind: WalletKind,
  item: Item,
  now: Date,
): Promise<CredentialInput<never>> {
  const file = await newestFile(store.db, item.id, kinds[kind].xml)
  if (!file) throw refuse('file-not-found', { name: kinds[kind].xml })
  const bytes = await blobs.read(file.digest)
  const { document } = readDocument(bytes)
  if (!document) throw new Error(`The signed XML ${file.digest} is not valid by its layout.`)
  const code = item.verification_code!
  const pageUrl = uniqueUrl(publicUrl, code) ?? `${publicUrl}/${code}`
  const { list, position: index, salt } = await entryOf(store.db, item, now)
  return {
    data: shownBody(document.data) as never,
    publicUrl: issuer.address,
    homeUrl: publicUrl,
    code,
    pageUrl,
    // The newest version has another digest one day: this address leads to these bytes for ever.
    xml: { url: `${pageUrl}/xml/${file.digest}`, bytes },
    status: (['revocation', 'suspension'] as const).map((purpose) => ({
      list: statusListUrl(issuer, purpose, list),
      purpose,
      index,
    })),
    salt,
  }
}

export const statusListUrl = ({ address }: Issuer, purpose: string, list: number): string =>
  `${address}/status-lists/${purpose}/${list}`

function made(kind: WalletKind, input: CredentialInput<never>) {
  try {
    return kinds[kind].make(input)
  } catch (error) {
    if (error instanceof WalletProblem) throw refuse('credential-failed', { reason: error.message }, error)
    throw error
  }
}
