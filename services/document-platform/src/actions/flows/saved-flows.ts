// Flows saved for later documents (document-platform facts 1.3).
import { randomUUID } from 'node:crypto'
import { changesOf } from '@chancela/service-kernel/events'
import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createFlow, listFlows } from '../../contract/flows.ts'
import { recordAct } from '../../parts/audit/record-act.ts'
import type { Caller } from '../../rules/caller.ts'
import { planFlow, planPerson } from '../../rules/flow-plan.ts'
import { textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { reachOf } from '../../rules/rights.ts'
import type { SavedFlowRow, Tables } from '../../store/tables.ts'

type FlowBody = Static<typeof createFlow.body>

export async function listedFlows({ store: { db } }: Context, caller: Caller, query: Static<typeof listFlows.query>) {
  const { limit = 10, offset = 0, order } = query
  const direction = order === 'Asc' ? 'asc' : 'desc'
  const rows = await matching(db, caller, textOf(query))
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = matching(db, caller, textOf(query)).select(({ fn }) => fn.countAll<number | string>().as('n'))
  const { n } = await counted.executeTakeFirstOrThrow()
  return { items: rows.map(flowInfo), totalCount: Number(n), nextCursor: null }
}

const matching = (db: Db<Tables>, { organizationId }: Caller, text: string | undefined) =>
  db
    .selectFrom('saved_flow')
    .where('organization_id', '=', organizationId)
    .$if(text !== undefined, (query) => query.where(containingAnyCase('name', text!)))

/** Saving validates the flow, so that documents can start with it. */
function columnsOf({ settings }: Context, { name, description, areActionsOrdered, flowActions, observers }: FlowBody) {
  planFlow(flowActions, { most: settings.Documents.MaxSignersPerDocument })
  for (const [index, { user }] of (observers ?? []).entries())
    planPerson(user, {
      needsCpf: false,
      wrong: (field, reason) => refuse('InvalidFlowAction', { field: `observers[${index}].user.${field}`, reason }),
    })
  return {
    name: name.trim(),
    description: description ?? null,
    are_actions_ordered: typeof areActionsOrdered === 'boolean' ? Number(areActionsOrdered) : null,
    actions: JSON.stringify(flowActions),
    observers: JSON.stringify(observers ?? []),
  }
}

export async function saveFlow(context: Context, caller: Caller, body: FlowBody, now: Date) {
  const at = now.toISOString()
  const row: SavedFlowRow = {
    id: randomUUID(),
    organization_id: caller.organizationId,
    ...columnsOf(context, body),
    created_by_id: caller.id,
    created_by_name: caller.name,
    created_at: at,
    updated_at: at,
  }
  await context.store.transaction(async (tx) => {
    await tx.insertInto('saved_flow').values(row).execute()
    const created = { kind: 'FlowCreated', subject: subjectOf(row), after: auditedOf(row) } as const
    await recordAct(context, tx, caller, created, now)
  })
  return flowDetails(row)
}

export const readFlow = async (context: Context, caller: Caller, id: string) =>
  flowDetails(await requiredFlow(context, caller, id))

async function requiredFlow({ store }: Context, { organizationId }: Caller, id: string): Promise<SavedFlowRow> {
  const row = await store.db
    .selectFrom('saved_flow')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) throw refuse('DocumentFlowNotFound', { id })
  return row
}

/** A flow that the caller may change: any, or only one's own. */
async function requiredOwnFlow(context: Context, caller: Caller, id: string): Promise<SavedFlowRow> {
  const row = await requiredFlow(context, caller, id)
  if (reachOf(caller, 'flows.change') !== 'all' && row.created_by_id !== caller.id)
    throw refuse('Forbidden', { operation: 'flows.change' })
  return row
}

export async function updateFlow(context: Context, caller: Caller, id: string, body: FlowBody, now: Date) {
  const row = await requiredOwnFlow(context, caller, id)
  const changes = { ...columnsOf(context, body), updated_at: now.toISOString() }
  const differing = changesOf(auditedOf(row), auditedOf({ ...row, ...changes }))
  await context.store.transaction(async (tx) => {
    await tx.updateTable('saved_flow').set(changes).where('id', '=', row.id).execute()
    const changed = { kind: 'FlowChanged', subject: subjectOf(row) } as const
    if (differing) await recordAct(context, tx, caller, { ...changed, ...differing }, now)
  })
  return flowDetails({ ...row, ...changes })
}

export async function deleteFlow(context: Context, caller: Caller, id: string, now: Date): Promise<void> {
  const row = await requiredOwnFlow(context, caller, id)
  await context.store.transaction(async (tx) => {
    await tx.deleteFrom('saved_flow').where('id', '=', row.id).execute()
    const deleted = { kind: 'FlowDeleted', subject: subjectOf(row), before: auditedOf(row) } as const
    await recordAct(context, tx, caller, deleted, now)
  })
}

const subjectOf = ({ id, name }: SavedFlowRow) => ({ kind: 'flow', id, name })

/** What the audit tells of a flow: who takes part in it decides who signs. */
function auditedOf(row: SavedFlowRow) {
  const { name, description, areActionsOrdered, flowActions, observers } = flowDetails(row)
  return { name, description, areActionsOrdered, flowActions, observers }
}

const flowInfo = (row: SavedFlowRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  creationDate: row.created_at,
  updateDate: row.updated_at,
  createdBy: { id: row.created_by_id, name: row.created_by_name },
})

function flowDetails(row: SavedFlowRow) {
  const flowActions = JSON.parse(row.actions) as FlowBody['flowActions']
  return {
    ...flowInfo(row),
    areActionsOrdered: row.are_actions_ordered === null ? hasSteps(flowActions) : row.are_actions_ordered === 1,
    flowActions,
    observers: JSON.parse(row.observers) as NonNullable<FlowBody['observers']>,
  }
}

const hasSteps = (actions: FlowBody['flowActions']): boolean => new Set(actions.map(({ step }) => step ?? 1)).size > 1
