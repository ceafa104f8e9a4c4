// PDF forms that an organization keeps, to make documents of them.
import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createTemplate, listTemplates } from '../../contract/templates.ts'
import { recordAct } from '../../parts/audit/record-act.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import type { TemplateRow, UploadRow } from '../../store/tables.ts'
import { requiredUploads } from '../uploads/uploads.ts'

/** A PDF form: what a template keeps of it. */
export interface TemplateFile {
  readonly filename: string
  readonly digest: string
  readonly fields: readonly string[]
}

export async function keepTemplate(
  context: Context,
  caller: Caller,
  { name, file }: Static<typeof createTemplate.body>,
  now: Date,
) {
  const [upload] = await requiredUploads(context, caller, [file.id])
  const { filename, digest, fields } = await templateFile(context, upload!, file.name)
  const row: TemplateRow = {
    id: randomUUID(),
    organization_id: caller.organizationId,
    name: name.trim(),
    filename,
    digest,
    fields: JSON.stringify(fields),
    created_by_id: caller.id,
    created_by_name: caller.name,
    created_at: now.toISOString(),
  }
  await context.store.transaction(async (tx) => {
    await tx.insertInto('document_template').values(row).execute()
    const created = { kind: 'TemplateCreated', subject: subjectOf(row), after: auditedOf(row) } as const
    await recordAct(context, tx, caller, created, now)
  })
  return templateView(row)
}

/** The form in an upload; a file without one makes the same document again and again, and is refused. */
export async function templateFile({ blobs }: Context, upload: UploadRow, name: string): Promise<TemplateFile> {
  const wrong = (reason: string) => refuse('InvalidDocumentContent', { name, reason })
  const { inspectPdf } = await import('../../parts/renditions/read-pdf.ts')
  const found = inspectPdf(await blobs.read(upload.digest))
  if (found.kind !== 'pdf') throw wrong(`The file is ${found.kind}.`)
  if (found.signatures > 0) throw wrong('The file is signed.')
  if (found.fields.length === 0) throw wrong('The file has no form.')
  return { filename: name, digest: upload.digest, fields: found.fields.map((field) => field.name) }
}

export async function listedTemplates(
  { store: { db } }: Context,
  { organizationId }: Caller,
  { limit = 10, offset = 0, order }: Static<typeof listTemplates.query>,
) {
  const own = db.selectFrom('document_template').where('organization_id', '=', organizationId)
  const direction = order === 'Asc' ? 'asc' : 'desc'
  const rows = await own
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const { n } = await own.select(({ fn }) => fn.countAll<number | string>().as('n')).executeTakeFirstOrThrow()
  return { items: rows.map(templateView), totalCount: Number(n), nextCursor: null }
}

export async function requiredTemplate(
  { store }: Pick<Context, 'store'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  id: string,
): Promise<TemplateRow> {
  const row = await store.db
    .selectFrom('document_template')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) throw refuse('DocumentTemplateNotFound', { id })
  return row
}

export async function removeTemplate(context: Context, caller: Caller, id: string, now: Date): Promise<void> {
  const row = await requiredTemplate(context, caller, id)
  await context.store.transaction(async (tx) => {
    await tx.deleteFrom('document_template').where('id', '=', row.id).execute()
    const deleted = { kind: 'TemplateDeleted', subject: subjectOf(row), before: auditedOf(row) } as const
    await recordAct(context, tx, caller, deleted, now)
  })
}

const subjectOf = ({ id, name }: TemplateRow) => ({ kind: 'template', id, name })

const auditedOf = ({ name, filename, digest }: TemplateRow) => ({ name, filename, digest })

export const fieldsOf = ({ fields }: TemplateRow): readonly string[] => JSON.parse(fields)

export const templateView = (row: TemplateRow) => ({
  id: row.id,
  name: row.name,
  filename: row.filename,
  fields: [...fieldsOf(row)],
  creationDate: row.created_at,
  createdBy: { id: row.created_by_id, name: row.created_by_name },
})
