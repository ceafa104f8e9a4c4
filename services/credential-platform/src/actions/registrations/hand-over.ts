// The signed degree returns to its issuer: the emission is registered, and the degree is one of the issuer's
// (credentials-platform facts 2.2).
import { newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { DegreeRow, EmissionRow } from '../../store/document-tables.ts'
import { addItemFile, newestFile } from '../../store/documents.ts'
import { addTerms } from '../../store/item-terms.ts'
import { moveEmission } from '../../store/registrations.ts'
import type { Tables } from '../../store/tables.ts'
import { announce } from '../webhooks/announce.ts'

/** The degree as it came back. */
export interface ReturnedDegree {
  readonly kept: KeptBytes
  readonly code: string
  readonly registeringIes: string
  readonly registrarInstituteId: string | null
  /** JSON. */
  readonly book: string | null
  readonly expeditionDate: string | null
  readonly registrationDate: string | null
}

/** Undefined where the emission is in no state that allows it; then nothing was written. */
export async function handOver(
  context: Context,
  tx: Transaction<Tables>,
  emissionId: string,
  returned: ReturnedDegree,
  now: Date,
): Promise<EmissionRow | undefined> {
  const degreeId = newRowId(now)
  const emission = await moveEmission(tx, emissionId, 'register', { degree_id: degreeId }, now)
  if (!emission) return undefined
  const degree = degreeOf(emission, degreeId, returned, now)
  await tx.insertInto('degree').values(degree).execute()
  await addTerms(tx, 'degree', [degree])
  await keepFiles(tx, emission, degree, returned.kept, now)
  await announce(context, tx, [{ kind: 'Emission', item: emission }], now)
  return emission
}

async function keepFiles(
  tx: Transaction<Tables>,
  emission: EmissionRow,
  { id }: DegreeRow,
  { digest, size }: KeptBytes,
  now: Date,
): Promise<void> {
  const xml = { item_id: id, media_type: 'application/xml' }
  await addItemFile(tx, { ...xml, name: 'public-xml', digest, bytes: size }, now)
  const documentation = await newestFile(tx, emission.id, 'academic-documentation')
  if (!documentation) return
  const { digest: sent, bytes } = documentation
  await addItemFile(tx, { ...xml, name: 'academic-documentation', digest: sent, bytes }, now)
}

function degreeOf(emission: EmissionRow, id: string, returned: ReturnedDegree, now: Date): DegreeRow {
  const at = now.toISOString()
  const { subscription_id, institute_id, version, student_name, student_social_name, student_cpf } = emission
  const { course, course_id, issuing_ies, nonce, batch_id, input } = emission
  return {
    id,
    subscription_id,
    institute_id,
    status: 'Concluded',
    version,
    search_key: `${emission.search_key}${wordKey([returned.code])}`,
    student_name,
    student_social_name,
    student_cpf,
    course,
    course_id,
    issuing_ies,
    was_restored: 0,
    registrar_institute_id: returned.registrarInstituteId,
    registering_ies: returned.registeringIes,
    nonce,
    verification_code: returned.code,
    reason: null,
    cancellation_reason: null,
    transcript_creation_error: null,
    transcript_id: null,
    emission_id: emission.id,
    batch_id,
    input,
    book: returned.book,
    emission_date: returned.expeditionDate,
    registration_date: returned.registrationDate,
    concluded_at: at,
    suspended_until: null,
    annulled_at: null,
    wallet_index: null,
    flow_id: null,
    signer_document_id: null,
    signer_document_url: null,
    signing_error: null,
    created_at: at,
    updated_at: at,
  }
}
