// Who a session is for, and what its client keeps with it: sealed, so that the database alone tells neither.
import type { Secrets } from '@chancela/service-kernel/secrets'
import { type Store, tablesOf } from '@chancela/service-kernel/store'
import type { IdentifierDigest } from './identifier-digest.ts'
import { customStateContext, identifierContext } from './sealed-columns.ts'
import type { Creation, CreationRow, Tables } from './tables.ts'

/** What seals the data of a creation. */
export interface HolderSeal {
  readonly secrets: Secrets
  readonly identifierDigest: IdentifierDigest
}

type Open = Pick<Creation, 'id' | 'identifier' | 'custom_state'>
type Sealed = Pick<CreationRow, 'sealed_identifier' | 'sealed_custom_state' | 'identifier_digest'>

export const sealedHolder = ({ secrets, identifierDigest }: HolderSeal, creation: Open): Sealed => {
  const { id, identifier, custom_state } = creation
  return {
    sealed_identifier: identifier === null ? null : secrets.seal(identifier, identifierContext(id)),
    sealed_custom_state: custom_state === null ? null : secrets.seal(custom_state, customStateContext(id)),
    identifier_digest: identifier === null ? null : identifierDigest(identifier),
  }
}

export const openedIdentifier = (
  secrets: Secrets,
  { id, sealed_identifier: sealed }: Pick<CreationRow, 'id' | 'sealed_identifier'>,
): string | null => (sealed === null ? null : secrets.openText(sealed, identifierContext(id)))

export const openedCustomState = (
  secrets: Secrets,
  { id, sealed_custom_state: sealed }: Pick<CreationRow, 'id' | 'sealed_custom_state'>,
): string | null => (sealed === null ? null : secrets.openText(sealed, customStateContext(id)))

/** Columns of the version before, empty in every row of this one. */
interface PlainColumns {
  plain_identifier: string | null
  plain_custom_state: string | null
}

const former = tablesOf<{ creation: CreationRow & PlainColumns }>()

/** Rows sealed in one transaction. */
const AT_ONCE = 200

/** Seals what the version before wrote in clear; a start that is killed in between goes on at the next. */
export async function sealFormerHolders(store: Store<Tables>, seal: HolderSeal): Promise<void> {
  while ((await sealSome(store, seal)) === AT_ONCE);
}

const sealSome = (store: Store<Tables>, seal: HolderSeal): Promise<number> =>
  store.transaction(async (tx) => {
    const rows = await former(tx)
      .selectFrom('creation')
      .select(['id', 'plain_identifier as identifier', 'plain_custom_state as custom_state'])
      .where((row) => row.or([row('plain_identifier', 'is not', null), row('plain_custom_state', 'is not', null)]))
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    for (const row of rows) {
      const set = { ...sealedHolder(seal, row), plain_identifier: null, plain_custom_state: null }
      await former(tx).updateTable('creation').set(set).where('id', '=', row.id).execute()
    }
    return rows.length
  })
