import { SECOND } from '@chancela/service-kernel/clock'
import { FrameworkProblem } from '@chancela/service-kernel/errors'
import type { Context } from '../context.ts'
import { said, telling } from '../rules/sentences.ts'
import { countKeyGuess, forgetKeyGuesses } from '../store/key-guesses.ts'

type GuessContext = Pick<Context, 'settings' | 'store' | 'events' | 'clock'>

/** A guess that was counted and may be judged. */
interface Guess {
  wasRight(): Promise<unknown>
  /** With the last one allowed the sign-in is closed to where it came from, which is told. */
  wasWrong(): Promise<unknown>
}

/** Counts a guess at the key from a network, or refuses it unjudged. */
export async function beginGuess(
  { settings: { Auth }, store, events, clock }: GuessContext,
  { client, address }: { readonly client: string; readonly address: string },
): Promise<Guess> {
  const now = clock()
  const limit = { most: Auth.LockAfter, minutes: Auth.LockMinutes }
  const { guesses: count, expires_at } = await countKeyGuess(store, limit, client, now)
  if (count > limit.most) throw tooMany(Date.parse(expires_at) - now.getTime())
  const locked = telling(said('sign-in-locked', { client, count, minutes: limit.minutes }))
  const actor = { name: client, address }
  return {
    wasRight: () => forgetKeyGuesses(store, client),
    wasWrong: async () => {
      if (count < limit.most) return
      await events.record(store.db, { type: 'SignInLocked', actor, subject: { kind: 'client', id: client }, ...locked })
    },
  }
}

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', { headers: { 'retry-after': String(Math.ceil(milliseconds / SECOND)) } })
