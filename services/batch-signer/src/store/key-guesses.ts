// Wrong keys at the sign-in, by where they come from; for all processes, and over restarts.
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { type Store, writeAlone } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { KeyGuessRow, Tables } from './tables.ts'

/** How many are allowed in which time. */
interface GuessLimit {
  readonly most: number
  readonly minutes: number
}

/**
 * Counts one guess, before it is judged: a hundred made at once at several processes are not more than a hundred made in
 * turn. Each of those that count begins the time anew; more than `most` do not.
 */
export async function countKeyGuess(
  store: Store<Tables>,
  { most, minutes }: GuessLimit,
  client: string,
  now: Date,
): Promise<KeyGuessRow> {
  const at = now.toISOString()
  const until = plus(now, minutes * MINUTE).toISOString()
  const counted = await writeAlone(store, async (db) => {
    // There are as many as networks guess within the time.
    await db.deleteFrom('key_guess').where('expires_at', '<=', at).execute()
    return sql<KeyGuessRow>`
      insert into key_guess as g (client, guesses, expires_at) values (${client}, 1, ${until})
      on conflict (client) do update set
        guesses = g.guesses + 1,
        expires_at = case when g.guesses >= ${most} then g.expires_at else ${until} end
      returning client, guesses, expires_at`.execute(db)
  })
  return counted.rows[0]!
}

/** The right key was given: what was guessed before does not count any more. */
export const forgetKeyGuesses = (store: Store<Tables>, client: string): Promise<unknown> =>
  writeAlone(store, (db) => db.deleteFrom('key_guess').where('client', '=', client).execute())
