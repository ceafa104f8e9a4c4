import { type Db, writeAlone } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createActionUrl } from '../../contract/documents.ts'
import { tieTo } from '../../parts/access/tickets.ts'
import type { Caller } from '../../rules/caller.ts'
import { canAct } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { digitsOf } from '../../rules/search-key.ts'
import type { Agent } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { actionState } from './act.ts'
import { recordDocument } from './document-audit.ts'

type Wanted = Static<typeof createActionUrl.body>

/**
 * Where the participant a request names acts on a document (document-platform facts 1.9). Who holds the address acts for
 * the participant, so the timeline tells who asked for it.
 */
export async function actionUrl(
  context: Context,
  caller: Caller,
  document: DocumentRow,
  wanted: Wanted,
  now: Date,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  if (document.status !== 'Pending') throw refuse('DocumentNotPending', { id: document.id, status: document.status })
  const found = pendingParticipant(await flowOf(context.store.db, document.id), wanted)
  if (!found) throw refuse('ParticipantNotFound', { id: document.id })
  const { participant } = found
  await noteAsked(context, caller, document, found, now)
  const by = { id: caller.id, name: caller.name, type: caller.type }
  return addressesOf(context, document, participant, { needsEmail: wanted.requireEmailAuthentication === true, by })
}

/** Applications ask with every document: the timeline tells of those, and they do not wait for the audit's chain. */
async function noteAsked(
  context: Context,
  caller: Caller,
  document: DocumentRow,
  { step, participant }: Found,
  now: Date,
): Promise<void> {
  const asked = { documentId: document.id, type: 'ActionUrlCreated', agent: caller, actionId: step.action.id } as const
  const line = timelineRow({ ...asked, detail: participant.name }, now)
  const noted = (db: Db<Tables>) => db.insertInto('timeline').values(line).execute()
  if (caller.type !== 'User') return void (await writeAlone(context.store, noted))
  const after = { participantId: participant.id, participant: participant.name }
  await context.store.transaction(async (tx) => {
    await noted(tx)
    await recordDocument(context, tx, caller, 'ActionUrlCreated', document, { after }, now)
  })
}

/** Both URLs end in their query, ticket first: clients cut the key and the ticket out of them. */
export function addressesOf(
  { publicUrl, settings, tickets }: Pick<Context, 'publicUrl' | 'settings' | 'tickets'>,
  document: Pick<DocumentRow, 'id' | 'key'>,
  participant: Pick<ParticipantRow, 'id' | 'email' | 'revocations'>,
  { needsEmail = false, by }: { readonly needsEmail?: boolean; readonly by?: Agent } = {},
): { readonly url: string; readonly embedUrl: string } {
  const minutes = settings.Documents.FlowActionTicketValidityMinutes
  const own = { participantId: participant.id, ...tieTo(participant) }
  const allowed = { documentId: document.id, ...own, needsEmail, ...(by && { by }) }
  const query = `?ticket=${encodeURIComponent(tickets.make('action', allowed, minutes))}`
  const page = `${publicUrl}/document/key/${document.key}`
  return { url: `${page}/sign${query}`, embedUrl: `${page}/sign-embedded${query}` }
}

interface Found {
  readonly step: FlowStep
  readonly participant: ParticipantRow
}

/** The first pending action of the person that is named by CPF, e-mail address or action. */
function pendingParticipant(
  steps: readonly FlowStep[],
  { identifier, emailAddress, flowActionId }: Wanted,
): Found | undefined {
  const cpf = identifier ? digitsOf(identifier) : undefined
  const email = emailAddress?.trim().toLowerCase()
  for (const step of steps) {
    if (flowActionId && step.action.id !== flowActionId.toLowerCase()) continue
    const participant = step.participants.find(
      (each) =>
        (cpf === undefined || each.identifier === cpf) &&
        (!email || each.email === email) &&
        canAct(actionState(step), each.id),
    )
    if (participant) return { step, participant }
  }
  return undefined
}
