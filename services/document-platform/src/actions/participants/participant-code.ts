// The code that authenticates a participant by e-mail: six digits, valid ten minutes, five attempts.
import { randomInt } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { SecretProblem, sameSecret } from '@chancela/service-kernel/secrets'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { CODE_MINUTES } from '../../rules/authentication-code.ts'
import { partlyHidden } from '../../rules/partly-hidden.ts'
import { refuse } from '../../rules/refuse.ts'
import type { ParticipantRow } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import type { Acting } from './participant-access.ts'

const DIGITS = 6
const ATTEMPTS = 5
const RESEND_AFTER = 60 * SECOND

const sealContext = (participantId: string): string => `authentication code ${participantId}`

/** Sends a participant a code; a new code replaces the last one and keeps its remaining attempts. */
export async function sendCode(
  context: Context,
  { document, step, participant }: Acting,
  now: Date,
): Promise<{ readonly sentTo: string; readonly expiresAt: string }> {
  const { store, notices, secrets } = context
  if (!notices.enabled || participant.email === null) throw refuse('EmailNotAvailable')
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = plus(now, CODE_MINUTES * MINUTE).toISOString()
  await store.transaction(async (tx) => {
    const last = await tx
      .selectFrom('authentication_code')
      .selectAll()
      .where('participant_id', '=', participant.id)
      .executeTakeFirst()
    if (last && plus(new Date(last.sent_at), RESEND_AFTER) > now) throw refuse('TooManyRequests')
    const row = {
      code: secrets.seal(code, sealContext(participant.id)),
      sent_at: now.toISOString(),
      expires_at: expiresAt,
    }
    // Otherwise an attacker would request a new code after every five guesses. As the row has them by now: guesses that
    // are made at the same moment count.
    const attempts = sql<number>`case when authentication_code.expires_at > ${now.toISOString()}
      then authentication_code.attempts else 0 end`
    await tx
      .insertInto('authentication_code')
      .values({ participant_id: participant.id, ...row, attempts: 0 })
      .onConflict((conflict) => conflict.column('participant_id').doUpdateSet({ ...row, attempts }))
      .execute()
    await tx
      .insertInto('timeline')
      .values(timelineRow({ documentId: document.id, type: 'CodeSent', actionId: step.action.id }, now))
      .execute()
    await notices.code(tx, document, step, participant, code, now)
  })
  return { sentTo: partlyHidden(participant.email), expiresAt }
}

/** Refuses a code that was not sent, has expired, or follows too many wrong ones. */
export async function requireCode(
  { store, secrets }: Context,
  { id }: Pick<ParticipantRow, 'id'>,
  code: string | null | undefined,
  now: Date,
): Promise<void> {
  // Counted before the code is compared, so that concurrent attempts all count.
  const row = await store.db
    .updateTable('authentication_code')
    .set({ attempts: sql`attempts + 1` })
    .where('participant_id', '=', id)
    .where('attempts', '<', ATTEMPTS)
    .where('expires_at', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()
  const sent = row && openCode(secrets, row.code, id)
  if (!code || sent === undefined || !sameSecret(code.trim(), sent)) throw refuse('AuthenticationCodeInvalidOrExpired')
}

/** Deletes a used code: each is accepted once. */
export const forgetCode = async ({ store }: Context, { id }: Pick<ParticipantRow, 'id'>): Promise<void> => {
  await store.db.deleteFrom('authentication_code').where('participant_id', '=', id).execute()
}

function openCode(secrets: Context['secrets'], sealed: string, participantId: string): string | undefined {
  try {
    return secrets.openText(sealed, sealContext(participantId))
  } catch (error) {
    // Sealed under a key that was retired since: the participant has to request a new code.
    if (error instanceof SecretProblem) return undefined
    throw error
  }
}
