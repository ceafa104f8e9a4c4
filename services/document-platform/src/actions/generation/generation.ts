// Many documents of one form: begun by a request, made in the background (document-platform facts 1.3).
import { newRowId } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Generation, generateDocuments } from '../../contract/templates.ts'
import { recordAct } from '../../parts/audit/record-act.ts'
import { type Caller, requireOrganization } from '../../rules/caller.ts'
import { readExpiration } from '../../rules/expiration.ts'
import { checkOptions, requireAvailable } from '../../rules/flow-plan.ts'
import { requireColumns } from '../../rules/generation.ts'
import { readCsv } from '../../rules/read-csv.ts'
import { refuse } from '../../rules/refuse.ts'
import { reachOf } from '../../rules/rights.ts'
import { findGeneration, GENERATING, moveGeneration } from '../../store/generations.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { GenerationRow } from '../../store/tables.ts'
import { placeOf } from '../folders/folders.ts'
import { fieldsOf, requiredTemplate, type TemplateFile, templateFile } from '../templates/templates.ts'
import { requiredUploads } from '../uploads/uploads.ts'

type Request = Static<typeof generateDocuments.body>

/** Checks what can be checked before a line is read, and leaves the rest to the worker. */
export async function beginGeneration(context: Context, caller: Caller, request: Request, now: Date) {
  const { store, blobs, settings } = context
  const { dataFile, templateFile: form, templateId, folderId, newFolderName, organizationId, ...asked } = request
  if (organizationId) requireOrganization(caller, organizationId)
  if (request.notaryType) throw refuse('InvalidRequest', { notaryType: 'is not supported' })
  await checkRequest(context, caller, request, now)
  const [data] = await requiredUploads(context, caller, [dataFile.id])
  const table = readCsv(await blobs.read(data!.digest))
  const most = settings.Documents.MaxDocumentsPerGeneration
  if (table.rows.length === 0) throw refuse('InvalidParticipantsFile', { reason: 'The file has no lines.' })
  if (table.rows.length > most) throw refuse('MaxDocumentsLimitReached', { limit: most, given: table.rows.length })
  requireColumns({ flowActions: asked.flowActions, observers: asked.observers, description: asked.description }, table)
  const template = await templateOf(context, caller, request)
  const row = await store.transaction(async (tx) => {
    const created: GenerationRow = {
      id: newRowId(now),
      organization_id: caller.organizationId,
      folder_id: await placeOf(tx, caller, { folderId: folderId ?? null, newFolderName: newFolderName ?? null }, now),
      status: 'Created',
      request: JSON.stringify(asked),
      caller: JSON.stringify(caller),
      agent_id: caller.id,
      template_name: template.filename,
      template_digest: template.digest,
      template_fields: JSON.stringify(template.fields),
      data_digest: data!.digest,
      total: table.rows.length,
      next_row: 0,
      completed: 0,
      failed: 0,
      errors: '[]',
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    }
    await tx.insertInto('generation').values(created).execute()
    await store.notify(tx, GENERATING)
    return created
  })
  return generationView(row)
}

async function checkRequest({ store }: Context, caller: Caller, request: Request, now: Date): Promise<void> {
  for (const [index, action] of request.flowActions.entries()) {
    requireAvailable(action, `flowActions[${index}]`)
    checkOptions(action, `flowActions[${index}]`)
  }
  const organization = await findOrganization(store.db, caller.organizationId)
  if (!organization) throw refuse('OrganizationNotFound')
  if (request.expirationDate) readExpiration(request.expirationDate, organization.time_zone, now)
}

async function templateOf(
  context: Context,
  caller: Caller,
  { templateFile: form, templateId }: Request,
): Promise<TemplateFile> {
  if (templateId && form) throw refuse('InvalidRequest', { templateId: 'is given instead of templateFile' })
  if (templateId) {
    const row = await requiredTemplate(context, caller, templateId)
    return { filename: row.filename, digest: row.digest, fields: fieldsOf(row) }
  }
  if (!form) throw refuse('InvalidRequest', { templateFile: 'is required' })
  const [upload] = await requiredUploads(context, caller, [form.id])
  return templateFile(context, upload!, form.name || upload!.name || 'documento.pdf')
}

/** A generation of the caller, or of anybody for who may read every document of the organization. */
async function requiredGeneration({ store }: Context, caller: Caller, id: string): Promise<GenerationRow> {
  const row = await findGeneration(store.db, caller.organizationId, id)
  const readsAll = caller.folderIds === null && reachOf(caller, 'documents.read') === 'all'
  if (!row || (row.agent_id !== caller.id && !readsAll)) throw refuse('GenerationNotFound', { id })
  return row
}

export const readGeneration = async (context: Context, caller: Caller, id: string) =>
  generationView(await requiredGeneration(context, caller, id))

export async function cancelGeneration(context: Context, caller: Caller, id: string, now: Date) {
  const row = await requiredGeneration(context, caller, id)
  const canceled = await context.store.transaction(async (tx) => {
    const moved = await moveGeneration(tx, row.id, 'cancel', now)
    if (!moved) throw refuse('GenerationEnded', { id })
    const change = { before: { status: row.status }, after: { status: moved.status } }
    const subject = { kind: 'generation', id: row.id, name: null }
    await recordAct(context, tx, caller, { kind: 'GenerationCanceled', subject, ...change }, now)
    return moved
  })
  return generationView(canceled)
}

const generationView = (row: GenerationRow): Static<typeof Generation> => ({
  id: row.id,
  subscriptionId: row.organization_id,
  folderId: row.folder_id,
  agentId: row.agent_id,
  type: 'DocumentGeneration',
  status: row.status,
  totalDocumentsCount: row.total,
  initializedCount: row.next_row,
  completedCount: row.completed,
  failedCount: row.failed,
  errors: JSON.parse(row.errors),
  creationDate: row.created_at,
  updateDate: row.updated_at,
})
