// A creation that is repeated under its Idempotency-Key is answered as before, and nothing is created twice.
import { hash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Context } from '../context.ts'
import { refuse } from '../rules/refuse.ts'
import type { Caller } from '../rules/rights.ts'
import { findReplay, keepReplay } from '../store/creation-replays.ts'
import type { Tables } from '../store/tables.ts'

/** A creation as it was asked for. */
interface Asked {
  readonly caller: Caller
  /** The operation: one key may stand for one creation of each. */
  readonly operation: string
  readonly key: string | undefined
  readonly request: unknown
}

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url')

/** Runs a creation in a transaction, or answers what it answered before. */
export async function once<Answer>(
  { store }: Pick<Context, 'store'>,
  { caller, operation, key, request }: Asked,
  create: (tx: Transaction<Tables>) => Promise<Answer>,
  now: Date,
): Promise<Answer> {
  if (key === undefined) return store.transaction(create)
  const name = { subscription_id: caller.subscriptionId, key_hash: digest([operation, key]) }
  const replay = { ...name, request_hash: digest(request), created_at: now.toISOString() }
  const before = async (): Promise<Answer | undefined> => {
    const known = await findReplay(store.db, name)
    if (known && known.request_hash !== replay.request_hash) throw refuse('idempotency-key-reused')
    return known && (JSON.parse(known.answer) as Answer)
  }
  const known = await before()
  if (known !== undefined) return known
  try {
    return await store.transaction(async (tx) => {
      const answer = await create(tx)
      await keepReplay(tx, { ...replay, answer: JSON.stringify(answer) })
      return answer
    })
  } catch (error) {
    // Somebody may have repeated it at the same moment, and been first.
    const first = await before()
    if (first === undefined) throw error
    return first
  }
}
