// The file that the ministry asked for: what was issued, or registered, in a period (credentials-platform facts 2.7).
import { generateUnchecked, readDocument, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { newRowId } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createInspectionFile } from '../../contract/auxiliary.ts'
import type { EventModels } from '../../contract/models.ts'
import type { ClosingHandler, SigningDesk } from '../../parts/signing/desk.ts'
import { type InspectedItem, issuedItem, registeredItem } from '../../rules/inspection-items.ts'
import { documentFacts } from '../../rules/public-record.ts'
import { wrongData } from '../../rules/refuse.ts'
import { iesOf } from '../../rules/registration-data.ts'
import type { Caller } from '../../rules/rights.ts'
import { issuedDegrees, moveInspection, registeredDegrees } from '../../store/auxiliary.ts'
import type { InspectionFileRow } from '../../store/document-tables.ts'
import { newestFile } from '../../store/documents.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { findInstitute } from '../../store/institutes.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { issuerOf, standingFlow } from '../items/institution-data.ts'
import { inspectionFileView } from '../items/item-views.ts'
import { scheduler } from '../lists/make-list.ts'
import { record } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { announce } from '../webhooks/announce.ts'

/** Told when somebody asks for a file. */
export const INSPECTION_CHANNEL = 'credential-inspections'

export interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
}

/** The worker makes it: a period may have many degrees. */
export async function askInspection(
  { store }: Context,
  caller: Caller,
  instituteId: string,
  asked: Static<typeof createInspectionFile.body>,
  now: Date,
): Promise<EventModels['InspectionFile']> {
  const institute = await requiredInstitute(store.db, caller, instituteId)
  const { type, startDate, endDate } = asked
  if (endDate < startDate) throw wrongData({ endDate: ['is before startDate'] })
  if (institute.kind !== 'IssuerAndRegistrar' && institute.kind !== type)
    throw wrongData({ type: [`the institution is ${institute.kind}`] })
  const at = now.toISOString()
  const row: InspectionFileRow = {
    id: newRowId(now),
    subscription_id: institute.subscription_id,
    institute_id: institute.id,
    status: 'Generating',
    version: WRITTEN_VERSION,
    type,
    ies_code: institute.code,
    inspected_degrees: 0,
    start_date: startDate,
    end_date: endDate,
    details: null,
    flow_id: null,
    signer_document_id: null,
    signer_document_url: null,
    signing_error: null,
    created_at: at,
    updated_at: at,
  }
  return store.transaction(async (tx) => {
    await tx.insertInto('inspection_file').values(row).execute()
    const entity = { type: 'InspectionFile', id: row.id }
    await record(tx, caller, { type: 'InspectionFileRequested', entity, data: asked }, now)
    await store.notify(tx, INSPECTION_CHANNEL)
    return inspectionFileView(row)
  })
}

/** Made, or not for its reasons; of two processes at once one writes. */
export async function makeInspection(
  { context, desk }: Dependencies,
  row: InspectionFileRow,
  now: Date,
): Promise<void> {
  const institute = await findInstitute(context.store.db, row.institute_id)
  const items = await itemsOf(context, row, institute)
  const made = madeXml(row, institute, items)
  const flow = await standingFlow(context.store.db, institute, 'InspectionFile')
  const kept = 'bytes' in made ? await desk.keep(made.bytes) : undefined
  await context.store.transaction(async (tx) => {
    const set =
      'bytes' in made ? { inspected_degrees: items.length } : { details: made.problems.join('\n').slice(0, 10_000) }
    const moved = await moveInspection(tx, row.id, kept ? 'generate' : 'fail', set, now)
    if (!moved) return
    const owner = { kind: 'InspectionFile', item: moved } as const
    if (kept)
      await desk.open(tx, { owner, documentKind: 'inspectionFile', kept, fileName: 'xml', flow: flow?.steps }, now)
    await announce(context, tx, [owner], now)
    await recordEvents(tx, [eventOf(kept ? 'InspectionFileCreated' : 'InspectionFileGenerationError', moved)], now)
  })
}

const eventOf = (type: string, { id, subscription_id }: InspectionFileRow) => ({
  subscription_id,
  type,
  ...scheduler,
  entity_type: 'InspectionFile',
  entity_id: id,
})

async function itemsOf(
  context: Context,
  { type, start_date, end_date }: InspectionFileRow,
  { id: instituteId, public_url }: InstituteRow,
): Promise<readonly InspectedItem[]> {
  const { db } = context.store
  const period = { instituteId, startDate: start_date, endDate: end_date }
  const items: InspectedItem[] = []
  if (type === 'Issuer')
    for (const degree of await issuedDegrees(db, period))
      items.push(issuedItem(degree, await courseCode(context, degree.id), public_url))
  else
    for (const degree of await registeredDegrees(db, period))
      items.push(registeredItem(degree, await courseCode(context, degree.id)))
  return items
}

/** As the signed XML says it; null for a course that has none. */
async function courseCode({ store, blobs }: Context, itemId: string): Promise<string | null> {
  const file = await newestFile(store.db, itemId, 'public-xml')
  const { document } = file ? readDocument(await blobs.read(file.digest)) : {}
  return (document && documentFacts(document)?.courseCode) ?? null
}

type Made = { readonly bytes: Buffer } | { readonly problems: readonly string[] }

function madeXml(row: InspectionFileRow, institute: InstituteRow, items: readonly InspectedItem[]): Made {
  if (items.length === 0)
    return { problems: ['There is no degree in the period, and the layout has no file without one.'] }
  const problems = items.flatMap((one) => ('problem' in one ? [one.problem] : []))
  if (problems.length > 0) return { problems }
  const isIssuer = row.type === 'Issuer'
  const file = {
    dataInicioFiscalizacao: row.start_date,
    [isIssuer ? 'iesEmissora' : 'iesRegistradora']: isIssuer ? issuerOf(institute) : iesOf(institute),
    diplomasFiscalizados: { diplomaFiscalizado: items.flatMap((one) => ('item' in one ? [one.item] : [])) },
    dataFimFiscalizacao: row.end_date,
  }
  const name = isIssuer ? 'infArquivoFiscalizacaoEmissora' : 'infArquivoFiscalizacaoRegistradora'
  const made = generateUnchecked('inspectionFile', { arquivoFiscalizacao: { [name]: file } })
  return made.valid ? made : { problems: made.problems.map(({ path, en }) => `${path}: ${en}`) }
}

export const onInspectionSigned = (context: Context): ClosingHandler => ({
  async closed(tx, { owner_id }, _prepared, now) {
    const row = await moveInspection(tx, owner_id, 'sign', {}, now)
    if (!row) throw new Error(`The inspection file ${owner_id} is in no state to be signed.`)
    await announce(context, tx, [{ kind: 'InspectionFile', item: row }], now)
    await recordEvents(tx, [eventOf('InspectionFileSigned', row)], now)
  },
})
