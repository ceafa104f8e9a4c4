// The closed documentation becomes the public XML, and the closed public XML concludes the degree (credentials-platform
// facts 2.1).
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { DegreeRow } from '../../store/document-tables.ts'
import { addTerms } from '../../store/item-terms.ts'
import { findItem } from '../../store/items.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { change, signingDesk } from '../items/item-changes.ts'
import { freeCode, publicXml } from '../registrations/registration-part.ts'
import { type DegreeInput, registrable } from './make-degree.ts'

interface NextDocument {
  readonly code: string
  readonly kept: KeptBytes
}

export function concludeDegrees(issuing: Issuing): void {
  issuing.desk.onClosed<NextDocument | undefined>('Degree', {
    prepare: (document, bytes) =>
      document.document_kind === 'academicDocumentation'
        ? makePublicXml(issuing, document, bytes)
        : Promise.resolve(undefined),
    closed: (tx, document, next, now) =>
      next ? openPublicXml(issuing, tx, document, next, now) : conclude(issuing.context, tx, document, now),
  })
}

/** Those who made a degree may have deleted what they made it with; its rows stay. */
const instituteOf = ({ store }: Context, id: string): Promise<InstituteRow> =>
  store.db.selectFrom('institute').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function makePublicXml(
  { context, desk }: Issuing,
  { owner_id }: XmlDocumentRow,
  documentation: Buffer,
): Promise<NextDocument> {
  const degree = (await findItem(context.store.db, 'Degree', owner_id))!
  const input = JSON.parse(degree.input) as DegreeInput
  const own = registrable(input, await instituteOf(context, degree.institute_id))
  const registration = { data: JSON.parse(degree.book!), field: 'registration' }
  const registrar = await instituteOf(context, degree.registrar_institute_id!)
  const code = await freeCode(context.store.db, own, registrar, registration)
  return { code, kept: await desk.keep(publicXml(documentation, own, registrar, registration, code)) }
}

/** Where the code was taken at this moment the transaction fails, and the next attempt finds a longer one. */
async function openPublicXml(
  { context, desk }: Issuing,
  tx: Transaction<Tables>,
  { owner_id: id }: XmlDocumentRow,
  { code, kept }: NextDocument,
  now: Date,
): Promise<void> {
  const set = { verification_code: code }
  const moved = { kind: 'Degree', id, move: 'closeDocumentation', set, event: 'DegreeDocumentationClosed' } as const
  const row = await change(context, tx, { ...moved, silent: true }, signingDesk, now)
  await addTerms(tx, 'degree', [await withCode(tx, row, code)])
  const { degreeFlow } = JSON.parse(row.input) as DegreeInput
  const given = { owner: { kind: 'Degree', item: row }, documentKind: 'degree', kept, fileName: 'public-xml' } as const
  await desk.open(tx, { ...given, instituteId: row.registrar_institute_id!, flow: degreeFlow }, now)
}

/** A degree is found by its code, too. */
async function withCode(tx: Transaction<Tables>, row: DegreeRow, code: string): Promise<DegreeRow> {
  const search_key = row.search_key + wordKey([code])
  await tx.updateTable('degree').set({ search_key }).where('id', '=', row.id).execute()
  return { ...row, search_key }
}

async function conclude(context: Context, tx: Transaction<Tables>, { owner_id: id }: XmlDocumentRow, now: Date) {
  const set = { concluded_at: now.toISOString() }
  const moved = { kind: 'Degree', id, move: 'conclude', set, event: 'DegreeConcluded' } as const
  await change(context, tx, moved, signingDesk, now)
}
