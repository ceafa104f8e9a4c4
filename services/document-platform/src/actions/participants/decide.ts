// A participant approves or refuses with a ticket: confirmed by a code that was sent to the participant's address, or
// recorded as done by the organization that asked for the ticket.
import type { Context } from '../../context.ts'
import { type Authentication, evidenceOf, type Origin } from '../../parts/signing/evidence.ts'
import type { Agent } from '../../rules/vocabulary.ts'
import { recordAct, recordRefusal } from '../documents/act.ts'
import { type Acting, requireOpen } from './participant-access.ts'
import { forgetCode, requireCode } from './participant-code.ts'

interface Confirmation {
  readonly authentication: Authentication
  /** Who acts for the participant; nothing when the participant confirmed. */
  readonly by: Agent | null
}

/** A ticket that came by e-mail may have been forwarded, so it alone confirms nothing. */
export const needsCode = ({ needsEmail, by }: Pick<Acting, 'needsEmail' | 'by'>): boolean => needsEmail || by === null

async function confirmed(
  context: Context,
  acting: Acting,
  code: string | null | undefined,
  now: Date,
): Promise<Confirmation> {
  const { participant, by } = acting
  if (!code && by !== null && !needsCode(acting))
    return { authentication: { types: ['Application'], application: by.name }, by }
  await requireCode(context, participant, code, now)
  return { authentication: { types: ['Email'], email: participant.email }, by: null }
}

export async function approve(
  context: Context,
  acting: Acting,
  { emailCode, origin }: { readonly emailCode?: string | null | undefined; readonly origin: Origin },
  now: Date,
): Promise<void> {
  const { document, participant } = acting
  requireOpen(acting, 'approve')
  const { authentication, by } = await confirmed(context, acting, emailCode, now)
  const evidences = evidenceOf(origin, authentication, document.current_digest, now)
  const ids = { documentId: document.id, participantId: participant.id }
  await recordAct(context, { ...ids, kind: 'approval', certificate: null, evidences, by }, now)
  await forgetCode(context, participant)
}

export async function refuseAsParticipant(
  context: Context,
  acting: Acting,
  { emailCode, reason }: { readonly emailCode?: string | null | undefined; readonly reason: string },
  now: Date,
): Promise<void> {
  const { document, participant } = acting
  const { by } = await confirmed(context, acting, emailCode, now)
  await recordRefusal(context, { documentId: document.id, participantId: participant.id, reason, by }, now)
  await forgetCode(context, participant)
}
