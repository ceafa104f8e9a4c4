// The next list of annulled degrees of a registrar: one more than the last, with everything that was ever annulled
// (credentials-platform facts 2.6).
import { generateUnchecked, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { isUniqueViolation, newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ClosingHandler, SigningDesk } from '../../parts/signing/desk.ts'
import { annulmentTexts } from '../../rules/annulment.ts'
import { nextUpdateDay } from '../../rules/lists.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { iesOf } from '../../rules/registration-data.ts'
import { type AnnulledDegree, annulledDegrees, moveList, newestList } from '../../store/auxiliary.ts'
import type { CancellationListRow } from '../../store/document-tables.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { registryRules } from '../../store/registry.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { standingFlow } from '../items/institution-data.ts'
import type { Actor } from '../items/item-changes.ts'
import { announce } from '../webhooks/announce.ts'

export interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
}

export const scheduler: Actor = { actor_kind: 'worker', actor_id: 'scheduler', actor_name: 'scheduler' }

/** Refused while another one waits for its signature: of two processes at once, one makes it. */
export async function makeList(
  { context, desk }: Dependencies,
  institute: InstituteRow,
  actor: Actor,
  now: Date,
): Promise<CancellationListRow> {
  const { db } = context.store
  const [newest, items, { list_days }] = [
    await newestList(db, institute.id),
    await annulledDegrees(db, institute.id),
    await registryRules(db, institute.id),
  ]
  if (newest?.status === 'Created') throw unsigned()
  const row = rowOf(institute, (newest?.sequence_number ?? 0) + 1, items.length, nextUpdateDay(now, list_days), now)
  const kept = await desk.keep(xmlOf(institute, row, items))
  const flow = await standingFlow(db, institute, 'CancellationList')
  try {
    return await context.store.transaction(async (tx) => {
      await tx
        .insertInto('cancellation_list')
        .values({ ...row, flow_id: flow?.id ?? null })
        .execute()
      const owner = { kind: 'CancellationList', item: row } as const
      await desk.open(tx, { owner, documentKind: 'cancellationList', kept, fileName: 'xml', flow: flow?.steps }, now)
      await announce(context, tx, [owner], now)
      await recordEvents(tx, [eventOf('CancellationListCreated', row, actor)], now)
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error) ? unsigned(error) : error
  }
}

const unsigned = (cause?: unknown) =>
  refuse('already-exists', { fields: { status: ['a list waits for its signature'] } }, cause)

const eventOf = (type: string, { id, subscription_id, sequence_number }: CancellationListRow, actor: Actor) => ({
  subscription_id,
  type,
  ...actor,
  entity_type: 'CancellationList',
  entity_id: id,
  data: { sequenceNumber: sequence_number },
})

function rowOf(
  { id, subscription_id, code, name }: InstituteRow,
  number: number,
  items: number,
  until: string,
  now: Date,
): CancellationListRow {
  const at = now.toISOString()
  return {
    id: newRowId(now),
    subscription_id,
    institute_id: id,
    status: 'Created',
    version: WRITTEN_VERSION,
    ies_code: code,
    ies_name: name,
    sequence_number: number,
    maximum_next_update_date: until,
    items,
    signed_at: null,
    flow_id: null,
    signer_document_id: null,
    signer_document_url: null,
    signing_error: null,
    created_at: at,
    updated_at: at,
  }
}

function xmlOf(institute: InstituteRow, row: CancellationListRow, items: readonly AnnulledDegree[]): Buffer {
  const list = {
    numeroDeSequencia: row.sequence_number,
    iesRegistradora: iesOf(institute),
    diplomasAnulados: items.length === 0 ? {} : { diplomaAnulado: items.map(itemOf) },
    dataMaximaProximaAtualizacao: row.maximum_next_update_date,
  }
  const made = generateUnchecked('cancellationList', { listaDiplomasAnulados: { infListaDiplomasAnulados: list } })
  if (!made.valid)
    throw wrongData(Object.fromEntries(made.problems.map(({ path, en, pt }) => [path, [`${en} (${pt})`]])))
  return made.bytes
}

/** What was written besides the reason may have any characters; the layout takes some alone, and it is no must. */
const itemOf = ({ code, annulledAt, reason }: AnnulledDegree) => ({
  codigoDiplomaAnulado: code,
  dataAnulacao: dayOf(annulledAt),
  motivoAnulacao: annulmentTexts[reason],
})

/** The day in Brasília, where the norm is in force. */
const dayOf = (moment: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date(moment))

/** The signed list is published at once: its address serves the newest. */
export const onListSigned = (context: Context): ClosingHandler => ({
  async closed(tx, { owner_id }, _prepared, now) {
    const row = await moveList(tx, owner_id, now)
    if (!row) throw new Error(`The list ${owner_id} is in no state to be signed.`)
    await announce(context, tx, [{ kind: 'CancellationList', item: row }], now)
    await recordEvents(tx, [eventOf('CancellationListSigned', row, scheduler)], now)
  },
})
