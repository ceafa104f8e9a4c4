import { createHash } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { type Db, type Store, writeAlone } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { SignInGuessRow, Tables } from './tables.ts'

/** What is guessed at, or asked for, and how often in which time. */
export interface GuessLimit {
  readonly kind: 'password' | 'reset'
  readonly most: number
  readonly minutes: number
}

/** An address as it is counted: nobody reads here who was tried. */
const idOf = ({ kind }: GuessLimit, email: string): string =>
  createHash('sha256').update(`${kind} ${email.trim().toLowerCase()}`).digest('base64url')

/**
 * Counts one guess, before it is judged: a hundred made at once by several processes are not more than a hundred made in
 * turn. Each of those that count begins the time anew; more than `most` do not.
 */
export async function countGuess(
  store: Store<Tables>,
  limit: GuessLimit,
  email: string,
  now: Date,
): Promise<Pick<SignInGuessRow, 'guesses' | 'expires_at'>> {
  const at = now.toISOString()
  const until = plus(now, limit.minutes * MINUTE).toISOString()
  const counted = await writeAlone(store, (db) =>
    sql<Pick<SignInGuessRow, 'guesses' | 'expires_at'>>`
      insert into sign_in_guess as g (id, guesses, expires_at) values (${idOf(limit, email)}, 1, ${until})
      on conflict (id) do update set
        guesses = case when g.expires_at <= ${at} then 1 else g.guesses + 1 end,
        expires_at = case when g.expires_at > ${at} and g.guesses >= ${limit.most} then g.expires_at else ${until} end
      returning guesses, expires_at`.execute(db),
  )
  return counted.rows[0]!
}

/** The last guess was none. */
export const takeBackGuess = (store: Store<Tables>, limit: GuessLimit, email: string) =>
  writeAlone(store, (db) =>
    db
      .updateTable('sign_in_guess')
      .set(({ eb }) => ({ guesses: eb('guesses', '-', 1) }))
      .where('id', '=', idOf(limit, email))
      .where('guesses', '>', 0)
      .execute(),
  )

/** What was guessed before does not count any more. */
export const forgetGuesses = (db: Db<Tables>, limit: GuessLimit, email: string) =>
  db.deleteFrom('sign_in_guess').where('id', '=', idOf(limit, email)).execute()
