// Wrong guesses at one account, wherever they come from.
import { SECOND } from '@chancela/service-kernel/clock'
import { FrameworkProblem } from '@chancela/service-kernel/errors'
import { writeAlone } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { countGuess, forgetGuesses, type GuessLimit, takeBackGuess } from '../../store/sign-in-guesses.ts'
import type { Tables } from '../../store/tables.ts'

/** A guess that was counted and may be judged. */
export interface Guess {
  /** Whether no other is allowed for now. */
  readonly isLast: boolean
  /** It was right: what was guessed before does not count any more. */
  forget(): Promise<unknown>
  /** It was none: a right password without the code that goes with it. */
  takeBack(): Promise<unknown>
}

/** Counts a guess at a password or code, or refuses it unjudged; an address nobody has is counted like any other. */
export async function beginGuess({ store, settings }: Context, email: string, now: Date): Promise<Guess> {
  const limit = limitOf(settings)
  const { guesses, expires_at } = await countGuess(store, limit, email, now)
  if (guesses > limit.most) throw tooMany(Date.parse(expires_at) - now.getTime())
  return {
    isLast: guesses === limit.most,
    forget: () => writeAlone(store, (db) => forgetGuesses(db, limit, email)),
    takeBack: () => takeBackGuess(store, limit, email),
  }
}

/** Ends the lock of an account, with the change that is a reason for it. */
export const forgetGuessesAt = ({ settings }: Context, tx: Transaction<Tables>, email: string) =>
  forgetGuesses(tx, limitOf(settings), email)

const limitOf = ({ Auth }: Context['settings']): GuessLimit => ({
  kind: 'password',
  most: Auth.LockAfter,
  minutes: Auth.LockMinutes,
})

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', { headers: { 'retry-after': String(Math.ceil(milliseconds / SECOND)) } })
