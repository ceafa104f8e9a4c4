// The issuer brings the degree that its registrar made elsewhere: everything about it is checked first
// (credentials-platform facts 2.2).
import { isUniqueViolation } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { type DocumentFacts, documentFacts } from '../../rules/public-record.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { EmissionRow } from '../../store/document-tables.ts'
import { newestFile } from '../../store/documents.ts'
import { isDegreeCodeTaken } from '../../store/item-codes.ts'
import { emissionRegistrationView } from '../items/item-views.ts'
import { cancelRequestElsewhere } from '../registrations/cancel.ts'
import { requireSound } from '../registrations/check-request.ts'
import { handOver } from '../registrations/hand-over.ts'
import { refuseEmissionMove, requiredEmission } from '../registrations/required-registration.ts'
import { requirePartnership } from '../registrations/take-in.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

export interface Dependencies {
  readonly context: Context
  readonly signing: Pick<Signing, 'trust'>
  readonly desk: SigningDesk
}

export async function takeRegistered(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  bytes: Buffer,
  now: Date,
): Promise<EventModels['EmissionRegistration']> {
  const { context, desk } = dependencies
  const known = await requiredEmission(context.store.db, caller, id)
  if (known.status !== 'SentToRegistry') throw refuseEmissionMove(known.status, 'register')
  const { facts, registrarId } = await checked(dependencies, caller, known, bytes, now)
  const kept = await desk.keep(bytes)
  const taking = context.store.transaction(async (tx) => {
    await cancelRequestElsewhere(dependencies, tx, known, now)
    const returned = {
      kept,
      code: facts.code,
      registeringIes: facts.registeringIes!.name,
      registrarInstituteId: registrarId,
      book: null,
      expeditionDate: facts.expeditionDate,
      registrationDate: facts.registrationDate,
    }
    const emission = await handOver(context, tx, known.id, returned, now)
    if (!emission) throw refuse('changed-meanwhile')
    const data = { verificationCode: facts.code, uploaded: true }
    const entity = { type: 'Emission', id: known.id }
    await record(tx, caller, { type: 'EmissionRegistered', entity, data, changes: statusChange(known, emission) }, now)
    return emissionRegistrationView(emission)
  })
  return taking.catch((error) => {
    // Another degree with this code came at the same moment.
    throw isUniqueViolation(error) ? codeTaken(error) : error
  })
}

const codeTaken = (cause?: unknown) =>
  refuse('already-exists', { fields: { codigoValidacao: ['is that of another degree'] } }, cause)

/** It carries what was sent, was made by the registrar it was sent to, and has a code of its own. */
async function checked(
  { context, signing }: Dependencies,
  caller: Caller,
  emission: EmissionRow,
  bytes: Buffer,
  now: Date,
): Promise<{ readonly facts: DocumentFacts; readonly registrarId: string }> {
  const { db } = context.store
  const issuer = await requiredInstitute(db, caller, emission.institute_id)
  const registrarId = emission.registrar_institute_id!
  await requirePartnership(db, registrarId, issuer)
  const registrar = await db
    .selectFrom('institute')
    .select('cnpj')
    .where('id', '=', registrarId)
    .executeTakeFirstOrThrow()
  const file = await newestFile(db, emission.id, 'academic-documentation')
  if (!file) throw refuse('file-not-found')
  const sent = await context.blobs.read(file.digest)
  const institutions = { issuer: issuer.cnpj, registrar: registrar.cnpj }
  const facts = documentFacts(await requireSound(signing, bytes, { kind: 'degree', institutions, sent }, now))
  if (!facts) throw refuse('document-refused', { fields: { 'kind-unknown': ['It names no degree.'] } })
  if (await isDegreeCodeTaken(db, facts.code)) throw codeTaken()
  return { facts, registrarId }
}
