// The registrar writes the book: the degree is put together with its code, and goes to be signed. What the issuer signed
// is carried byte by byte (credentials-platform facts 1.5, 1.6).
import { WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { RegistrationEntry } from '../../contract/registrations.ts'
import type { KeptStep } from '../../contract/setup.ts'
import type { KeptBytes, SigningDesk } from '../../parts/signing/desk.ts'
import { registrationMoves } from '../../rules/moves.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { bookPlace, registrationOf } from '../../rules/registration-data.ts'
import { requestFacts } from '../../rules/request-facts.ts'
import type { Caller } from '../../rules/rights.ts'
import { wordKey } from '../../rules/search-key.ts'
import { idOf } from '../../rules/texts.ts'
import type { RegistrationRow } from '../../store/document-tables.ts'
import { newestFile } from '../../store/documents.ts'
import { isDegreeCodeTaken } from '../../store/item-codes.ts'
import { addTerms } from '../../store/item-terms.ts'
import { findOwned } from '../../store/owned-rows.ts'
import { moveRegistration } from '../../store/registrations.ts'
import { claimBookEntry } from '../../store/registry.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { registrationView } from '../items/item-views.ts'
import { untilCodeIsFree } from '../items/making.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { announce } from '../webhooks/announce.ts'
import { mirror } from './mirror.ts'
import { readKept } from './read-kept.ts'
import { freeCode, publicXml } from './registration-part.ts'
import { refuseMove, requiredRegistration } from './required-registration.ts'

export interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
}

interface MadeDegree {
  readonly code: string
  readonly kept: KeptBytes
}

export async function register(
  { context, desk }: Dependencies,
  caller: Caller,
  id: string,
  entry: RegistrationEntry,
  now: Date,
): Promise<EventModels['Registration']> {
  const { db } = context.store
  const known = await requiredRegistration(db, caller, id)
  if (known.status !== 'Approved') throw refuseMove(known.status, 'register')
  const registrar = await requiredInstitute(db, caller, known.institute_id)
  const flow = await requiredFlow(db, caller, entry.flowId)
  let code = ''
  return untilCodeIsFree(
    async () => {
      const made = await madeDegree({ context, desk }, known, registrar, entry)
      code = made.code
      return entered({ context, desk }, caller, known, { entry, flow, made }, now)
    },
    () => isDegreeCodeTaken(db, code),
  )
}

interface Entered {
  readonly entry: RegistrationEntry
  readonly flow: readonly KeptStep[] | undefined
  readonly made: MadeDegree
}

/** The request, its line of the book and its document, or nothing of them. */
function entered(
  { context, desk }: Dependencies,
  caller: Caller,
  known: RegistrationRow,
  { entry, flow, made }: Entered,
  now: Date,
): Promise<EventModels['Registration']> {
  return context.store.transaction(async (tx) => {
    const row = await moveRegistration(tx, known.id, 'register', columnsOf(known, entry, made), now)
    if (!row) throw refuseMove((await requiredRegistration(tx, caller, known.id)).status, 'register')
    await addTerms(tx, 'registration', [row])
    const line = { instituteId: known.institute_id, entry: bookPlace(entry.livroRegistro), itemId: row.id }
    await claimBookEntry(tx, { ...line, field: 'livroRegistro' }, now)
    const owner = { kind: 'Registration', item: row } as const
    await desk.open(tx, { owner, documentKind: 'degree', kept: made.kept, fileName: 'public-xml', flow }, now)
    await mirror(context, tx, row, 'register', {}, now)
    await announce(context, tx, [owner], now)
    const data = { verificationCode: made.code }
    const entity = { type: 'Registration', id: row.id }
    const changes = statusChange({ status: registrationMoves.register.from[0] }, row)
    await record(tx, caller, { type: 'RegistrationRegistered', entity, data, changes }, now)
    return registrationView(row)
  })
}

const columnsOf = (known: RegistrationRow, { livroRegistro, flowId }: RegistrationEntry, { code }: MadeDegree) => ({
  verification_code: code,
  book: JSON.stringify(livroRegistro),
  registration_date: livroRegistro.dataRegistroDiploma,
  expedition_date: livroRegistro.dataExpedicaoDiploma,
  flow_id: flowId === undefined ? null : idOf(flowId),
  search_key: `${known.search_key}${wordKey([code])}`,
})

async function requiredFlow(
  db: Db<Tables>,
  { subscriptionId }: Caller,
  id: string | undefined,
): Promise<readonly KeptStep[] | undefined> {
  if (id === undefined) return undefined
  const flow = await findOwned(db, 'flow', subscriptionId, idOf(id))
  if (!flow) throw refuse('flow-not-found', { id })
  if (flow.document_kind !== 'Degree') throw wrongData({ flowId: ['is not one of degrees'] })
  return JSON.parse(flow.steps)
}

async function madeDegree(
  { context, desk }: Dependencies,
  { id }: RegistrationRow,
  registrar: InstituteRow,
  entry: RegistrationEntry,
): Promise<MadeDegree> {
  const { db } = context.store
  const file = await newestFile(db, id, 'academic-documentation')
  if (!file) throw refuse('file-not-found')
  const documentation = await context.blobs.read(file.digest)
  const facts = requestFacts(readKept(documentation))
  if (facts?.version !== WRITTEN_VERSION)
    throw refuse('invalid-transition', { fields: { version: [`is ${facts?.version}; this needs ${WRITTEN_VERSION}`] } })
  const registration = { data: registrationOf(facts, entry), field: '' }
  const code = await freeCode(db, facts, registrar, registration)
  return { code, kept: await desk.keep(publicXml(documentation, facts, registrar, registration, code)) }
}
