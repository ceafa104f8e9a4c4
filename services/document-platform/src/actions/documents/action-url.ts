import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createActionUrl } from '../../contract/documents.ts'
import type { Tickets } from '../../parts/access/tickets.ts'
import { canAct } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { digitsOf } from '../../rules/search-key.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow } from '../../store/tables.ts'
import { actionState } from './act.ts'

type Wanted = Static<typeof createActionUrl.body>

/** URL at which the participant named in the request acts on a document (document-platform facts 1.9). */
export async function actionUrl(
  context: Context,
  tickets: Tickets,
  document: DocumentRow,
  wanted: Wanted,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  if (document.status !== 'Pending') throw refuse('DocumentNotPending', { id: document.id, status: document.status })
  const found = pendingParticipant(await flowOf(context.store.db, document.id), wanted)
  if (!found) throw refuse('ParticipantNotFound', { id: document.id })
  return addressesOf(context, tickets, document, found.participant, wanted.requireEmailAuthentication === true)
}

/** Both URLs end in their query, ticket first: clients cut the key and the ticket out of them. */
export function addressesOf(
  { publicUrl, settings }: Pick<Context, 'publicUrl' | 'settings'>,
  tickets: Tickets,
  document: Pick<DocumentRow, 'id' | 'key'>,
  participant: Pick<ParticipantRow, 'id'>,
  needsEmail = false,
): { readonly url: string; readonly embedUrl: string } {
  const minutes = settings.Documents.FlowActionTicketValidityMinutes
  const allowed = { documentId: document.id, participantId: participant.id, needsEmail }
  const query = `?ticket=${encodeURIComponent(tickets.make('action', allowed, minutes))}`
  const page = `${publicUrl}/document/key/${document.key}`
  return { url: `${page}/sign${query}`, embedUrl: `${page}/sign-embedded${query}` }
}

/** The first pending action of the person that is named by CPF, e-mail address or action. */
function pendingParticipant(
  steps: readonly FlowStep[],
  { identifier, emailAddress, flowActionId }: Wanted,
): { readonly step: FlowStep; readonly participant: ParticipantRow } | undefined {
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
