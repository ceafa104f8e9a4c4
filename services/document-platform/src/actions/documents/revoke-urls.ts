// The addresses under which participants act, taken back: mails are forwarded, and links end up where they should not.
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { revokeActionUrls } from '../../contract/documents.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { digitsOf } from '../../rules/search-key.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { recordDocument } from './document-audit.ts'

type Wanted = Static<typeof revokeActionUrls.body>

/** Ends the tickets of the participants who are named, or of all; those who acted read the document by theirs. */
export const revokeUrls = (
  context: Context,
  caller: Caller,
  document: DocumentRow,
  wanted: Wanted,
  now: Date,
): Promise<{ readonly revoked: number }> =>
  context.store.transaction(async (tx) => {
    // The row of the document first, as everybody who changes its participants locks it.
    await raise(tx, 'document', [document.id])
    const participants = (await flowOf(tx, document.id)).flatMap((step) => named(step, wanted))
    if (participants.length === 0) throw refuse('ParticipantNotFound', { id: document.id })
    await raise(
      tx,
      'participant',
      participants.map(({ id }) => id),
    )
    await note(context, tx, caller, { document, participants, wanted }, now)
    return { revoked: participants.length }
  })

const raise = (tx: Transaction<Tables>, table: 'document' | 'participant', ids: readonly string[]) =>
  tx
    .updateTable(table)
    .set((row) => ({ revocations: row('revocations', '+', 1) }))
    .where('id', 'in', ids)
    .execute()

function named(
  { action, participants }: FlowStep,
  { identifier, emailAddress, flowActionId }: Wanted,
): readonly ParticipantRow[] {
  if (flowActionId && action.id !== flowActionId.toLowerCase()) return []
  const cpf = identifier ? digitsOf(identifier) : undefined
  const email = emailAddress?.trim().toLowerCase()
  return participants.filter(
    (each) => (cpf === undefined || each.identifier === cpf) && (!email || each.email === email),
  )
}

interface Revoked {
  readonly document: DocumentRow
  readonly participants: readonly ParticipantRow[]
  readonly wanted: Wanted
}

/** The timeline names whoever was named; applications are in the audit here, as revoking is no daily work. */
async function note(
  context: Context,
  tx: Transaction<Tables>,
  caller: Caller,
  { document, participants, wanted }: Revoked,
  now: Date,
): Promise<void> {
  const names = participants.map(({ name }) => name)
  const isAll = !wanted.identifier && !wanted.emailAddress && !wanted.flowActionId
  const line = { documentId: document.id, type: 'ActionUrlRevoked', agent: caller } as const
  const detail = isAll ? null : names.join(', ')
  await tx
    .insertInto('timeline')
    .values(timelineRow({ ...line, actionId: wanted.flowActionId?.toLowerCase() ?? null, detail }, now))
    .execute()
  await recordDocument(context, tx, caller, 'ActionUrlRevoked', document, { after: { participants: names } }, now)
}
