// A participant whose link has expired gets a new one, at the address the organization knows.
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { partlyHidden } from '../../rules/partly-hidden.ts'
import { refuse } from '../../rules/refuse.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { type Acting, requireOpenAction } from './participant-access.ts'

/** A new link is not sent more often to one participant. */
const SENT_AGAIN_AFTER = MINUTE

/** Sends the request for the action again; an expired ticket shows who asks, and gains nothing but this mail. */
export async function renewLink(
  { store, notices }: Context,
  acting: Acting,
  now: Date,
): Promise<{ readonly sentTo: string }> {
  const { document, step, participant } = acting
  requireOpenAction(acting)
  if (!notices.enabled || participant.email === null) throw refuse('EmailNotAvailable')
  const at = now.toISOString()
  await store.transaction(async (tx) => {
    // Counted in the row, so that two clicks at once send one mail.
    const { numUpdatedRows } = await tx
      .updateTable('participant')
      .set({ reminded_at: at })
      .where('id', '=', participant.id)
      .where((where) =>
        where.or([
          where('reminded_at', 'is', null),
          where('reminded_at', '<=', plus(now, -SENT_AGAIN_AFTER).toISOString()),
        ]),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw refuse('TooManyRequests')
    const agent = { id: participant.person_id, name: participant.name, type: 'Participant' as const }
    await tx
      .insertInto('timeline')
      .values(timelineRow({ documentId: document.id, type: 'LinkSent', agent, actionId: step.action.id }, now))
      .execute()
    await notices.reminder(tx, document, { ...step, participants: [participant] }, now)
  })
  return { sentTo: partlyHidden(participant.email) }
}
