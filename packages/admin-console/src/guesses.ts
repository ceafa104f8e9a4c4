// Wrong guesses at one address, from any client and at any process. They are counted in the database: neither a restart
// nor another process forgets. An unknown address is counted like any other, so that the limit does not reveal which
// accounts exist.
import { createHash } from 'node:crypto'
import { type Clock, MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { FrameworkProblem } from '@chancela/service-kernel/errors'
import { type Db, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { AdministratorTables } from './administrator-table.ts'

/** Most rows of addresses that nobody has; beyond it those whose time ends first go. Those of accounts stay. */
const MOST_UNKNOWN = 10_000

/** How many go at once, where an earlier version or a flood left more. */
const PUSHED_OUT = 1000

interface GuessLimits {
  readonly most: number
  /** How long a wrong guess counts, in milliseconds. */
  readonly window: number
}

/** Whose guess it is. */
interface Guess {
  /** In lower case. */
  readonly address: string
  /** Whether an account has the address. */
  readonly isKnown: boolean
}

export class Guesses {
  readonly #limits: GuessLimits
  readonly #store: Store<AdministratorTables>
  readonly #clock: Clock

  constructor(
    { MaxFailures, FailureMinutes }: { MaxFailures: number; FailureMinutes: number },
    { store, clock }: { readonly store: Store<AdministratorTables>; readonly clock: Clock },
  ) {
    this.#limits = { most: MaxFailures, window: FailureMinutes * MINUTE }
    this.#store = store
    this.#clock = clock
  }

  /**
   * Counts a guess, or refuses it unchecked. It is counted before it is checked, so that a hundred concurrent guesses
   * are no more than a hundred in turn. True when it is the last one allowed for now.
   */
  async begin(guess: Guess): Promise<boolean> {
    const now = this.#clock()
    const made = await this.#store.transaction(async (tx) => {
      await sweep(tx, now)
      const counted = await count(tx, guess, this.#limits, now)
      if (counted !== undefined && !guess.isKnown) await pushOut(tx)
      return counted
    })
    if (made === undefined) throw tooMany((await this.#untilOf(guess.address)) - now.getTime())
    return made === this.#limits.most
  }

  /** Uncounts the last guess: a right password without the code that goes with it is no guess. */
  async takeBack(address: string): Promise<void> {
    await writeAlone(this.#store, (db) =>
      db
        .updateTable('administrator_guess')
        .set(({ eb }) => ({ guesses: eb('guesses', '-', 1) }))
        .where('id', '=', idOf(address))
        .where('guesses', '>', 0)
        .execute(),
    )
  }

  /** The right password was given: earlier guesses no longer count. */
  async forget(address: string): Promise<void> {
    await writeAlone(this.#store, (db) =>
      db.deleteFrom('administrator_guess').where('id', '=', idOf(address)).execute(),
    )
  }

  async #untilOf(address: string): Promise<number> {
    const row = await this.#store.db
      .selectFrom('administrator_guess')
      .select('expires_at')
      .where('id', '=', idOf(address))
      .executeTakeFirst()
    return row ? Date.parse(row.expires_at) : this.#clock().getTime() + SECOND
  }
}

/** An address as it is counted: nobody reads in the database who was tried. */
const idOf = (address: string): string => createHash('sha256').update(`administrator ${address}`).digest('base64url')

/** Counts one more, with the time begun anew; undefined where as many are counted as are allowed. */
async function count(
  db: Db<AdministratorTables>,
  { address, isKnown }: Guess,
  { most, window }: GuessLimits,
  now: Date,
): Promise<number | undefined> {
  const at = now.toISOString()
  const expires_at = plus(now, window).toISOString()
  const is_known = isKnown ? 1 : 0
  const counted = await db
    .insertInto('administrator_guess')
    .values({ id: idOf(address), guesses: 1, expires_at, is_known })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ eb, case: when }) => ({
          guesses: when()
            .when('administrator_guess.expires_at', '<=', at)
            .then(1)
            .else(eb('administrator_guess.guesses', '+', 1))
            .end(),
          expires_at,
          is_known,
        }))
        .where(({ eb, or }) =>
          or([eb('administrator_guess.expires_at', '<=', at), eb('administrator_guess.guesses', '<', most)]),
        ),
    )
    .returning('guesses')
    .executeTakeFirst()
  return counted?.guesses
}

const sweep = (db: Db<AdministratorTables>, now: Date) =>
  db.deleteFrom('administrator_guess').where('expires_at', '<=', now.toISOString()).execute()

/** Addresses cost an attacker nothing: the table does not grow with them. */
const pushOut = (db: Db<AdministratorTables>) =>
  db
    .deleteFrom('administrator_guess')
    .where('id', 'in', (rows) =>
      rows
        .selectFrom('administrator_guess')
        .select('id')
        .where('is_known', '=', 0)
        .orderBy('expires_at', 'desc')
        .limit(PUSHED_OUT)
        .offset(MOST_UNKNOWN),
    )
    .execute()

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / SECOND))) },
  })
