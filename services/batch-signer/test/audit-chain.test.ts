// What is recorded cannot be changed unnoticed: the chain of a running service, and what may lawfully go from it.
import { DAY } from '@chancela/service-kernel/clock'
import { AuditChain, readChain, readExport, verifyChain } from '@chancela/service-kernel/events'
import { type MigrationSet, migrate, type Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { chainedRecords } from '../src/store/chained-records.ts'
import { batchSignerSchema } from '../src/store/migrations.ts'
import { PROFILES_CHANNEL } from '../src/store/profiles.ts'
import type { Tables } from '../src/store/tables.ts'
import { comeByLink, joao, maria, portalSettings, ruleOf, setRule } from './test-support/approvers.ts'
import { complete, sharedJobs } from './test-support/jobs-world.ts'
import { sharedOperations } from './test-support/operations-world.ts'
import { databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const intact = { problemCount: 0, problems: [] }

const verified = ({ db }: Pick<Store<Tables>, 'db'>) => verifyChain(readChain(db, chainedRecords))

/** Links everything now; the worker does it every few seconds. */
const linked = async (store: Store<Tables>): Promise<void> => {
  const chain = new AuditChain({ kinds: chainedRecords, clock: () => new Date() })
  while ((await store.transaction((tx) => chain.append(tx))) > 0);
}

const rule = ruleOf([maria, joao], { minimumApprovers: 2 })

async function inForce(service: RunningBatchSigner): Promise<void> {
  await setRule(service.store, rule)
  await service.store.transaction((tx) => service.store.notify(tx, PROFILES_CHANNEL))
  const { full } = service
  const asked = async () => (await full.json<{ approval: object | null }>('GET', '/api/profiles/default')).body.approval
  await expect.poll(asked).not.toBeNull()
}

/** A file that was uploaded and waits for approval. */
async function waiting(service: RunningBatchSigner): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['content']), 'file.txt')
  const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files', { body: form })
  const status = async () => (await service.full.json('GET', `/api/jobs/${body.jobId}`)).body['status']
  await expect.poll(status).toBe('AwaitingApproval')
  return body.jobId
}

async function* linesOf(text: string) {
  yield* text.trimEnd().split('\n')
}

const links = ({ db }: Pick<Store<Tables>, 'db'>, kind: string) =>
  db.selectFrom('audit_chain').selectAll().where('kind', '=', kind).orderBy('sequence').execute()

for (const database of databases) {
  describe(`the audit chain on ${database}`, () => {
    test('has what is decided and what happens within seconds, and all of it after a stop', async () => {
      const service = await startBatchSigner({ database, settings: portalSettings })
      const { store, full } = service
      await inForce(service)
      const id = await waiting(service)
      const browser = await comeByLink(service, maria)
      expect((await browser.json('POST', `/approvals/api/jobs/${id}/approve`)).status).toBe(200)
      const decided = async () => (await links(store, 'decision')).map(({ record_id }) => record_id)
      await expect.poll(decided).toStrictEqual([id])
      expect(await links(store, 'rule')).toMatchObject([{ record_id: id }])

      const answer = await full.call('GET', '/dashboard/api/audit/export')
      expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'application/jsonl'])
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-[\d-]+\.jsonl"/)
      const text = await answer.text()
      expect(await verifyChain(readExport(linesOf(text)))).toMatchObject(intact)
      expect(text).toContain(`"approver_key":"${maria.email.toLowerCase()}"`)
      expect((await full.call('GET', '/dashboard/api/audit/export', { key: null })).status).toBe(401)
      expect((await browser.call('GET', '/dashboard/api/audit/export')).status).toBe(401)

      const metrics = async () => (await full.call('GET', '/api/metrics')).text()
      await expect.poll(metrics).toMatch(/^bulk_audit_chain_lag_seconds 0$/m)
      await service.stop()
      const again = await store.reopen()
      const verdict = await verified(again)
      expect(verdict).toMatchObject(intact)
      const recorded = again.db.selectFrom('audit_event').select(['type', sql<number>`chain_sequence`.as('place')])
      const events = await recorded.orderBy('at').orderBy('id').execute()
      expect(events.at(-1)).toStrictEqual({ type: 'ServiceStopping', place: verdict.head.sequence })
      expect(events.find(({ type }) => type === 'AuditExported')?.place).toBeGreaterThan(0)
    })

    const freshJobs = sharedJobs(database)

    test('keeps the links of decisions and events that Clear Jobs and Delete take away', async () => {
      const { store, context, clock, json, ...world } = await freshJobs()
      const jobs = { store, context, clock, json, ...world }
      const [one, other] = [await complete(jobs), await complete(jobs)]
      for (const { id } of [one, other]) await insertApproval(store, id, clock())
      await context.events.record(store.db, { type: 'PipelinePaused', actor: 'test', text: 'Earlier.' })
      await linked(store)
      expect((await json('DELETE', `/dashboard/api/jobs/${one.id}`, { reason: 'x' })).status).toBe(200)
      clock.advance(1_000)
      expect((await json('DELETE', '/api/jobs')).body).toMatchObject({ deleted: 1, eventsDeleted: 2 })
      for (const table of ['approval_decision', 'job_approval'] as const)
        expect(await store.db.selectFrom(table).selectAll().execute()).toStrictEqual([])
      const removals = (await links(store, 'removal')).map(({ record_id }) => record_id)
      expect(removals).toStrictEqual(['job-deleted', 'jobs-cleared', 'jobs-cleared'])
      await linked(store)
      expect(await verified(store)).toMatchObject({ removed: 6, ...intact })
    })

    const freshOperations = sharedOperations(database)

    test('keeps the links of events that are too old to keep', async () => {
      const { store, context, clock, call } = await freshOperations()
      for (const text of ['a', 'b']) await context.events.record(store.db, { type: 'Paused', actor: 'test', text })
      await linked(store)
      clock.advance(31 * DAY)
      expect(await (await call('POST', '/api/cleanup')).json()).toMatchObject({ operationalEventsDeleted: 3 })
      await linked(store)
      expect(await verified(store)).toMatchObject({ removed: 3, ...intact })
      expect(await links(store, 'removal')).toMatchObject([{ record_id: 'retention' }])
    })

    test('takes in what lies in a database of an earlier version', async () => {
      const own = batchSignerSchema['batch-signer']!
      const before = own.slice(
        0,
        own.findIndex(({ name }) => name === 'audit: chain'),
      )
      const earlier: MigrationSet = { ...batchSignerSchema, 'batch-signer': before }
      const store = await testStores[database]<Tables>(earlier)
      await insertApproval(store, 'j1', new Date())
      await migrate(store, batchSignerSchema)
      await insertApproval(store, 'j2', new Date())
      await linked(store)
      expect(await verified(store)).toMatchObject({ links: 4, ...intact })
    })
  })
}

async function insertApproval({ db }: Store<Tables>, id: string, now: Date): Promise<void> {
  const [at, sha256] = [now.toISOString(), 'ab'.repeat(32)]
  const names = { file_name: 'f.txt', profile_name: 'default', staged_name: 'f.txt' }
  const content = { content_sha256: sha256, content_length: 7 }
  const job = { job_id: id, ...names, ...content, rule: JSON.stringify(rule), parked_at: at, expires_at: null }
  await db
    .insertInto('job_approval')
    .values({ ...job, envelope_sha256: null })
    .execute()
  const person = { approver_key: maria.email.toLowerCase(), name: maria.name, cpf: maria.cpf }
  const said = { decision: 'approved', reason: null, method: 'LinkDerivedEmail', decided_at: at } as const
  const from = { ip_address: null, user_agent: null, second_factor_at: null, certificate: null }
  await db
    .insertInto('approval_decision')
    .values({ job_id: id, ...person, ...said, ...from, content_sha256: sha256 })
    .execute()
}

test('every column of a chained record is covered, or named as one that may change', async () => {
  const { db } = await testStores.SQLite<Tables>(batchSignerSchema)
  for (const { table, covered, added = [], uncovered } of chainedRecords) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
    const named = [...covered, ...added, ...uncovered, 'chain_sequence']
    expect([table, ...named.toSorted()]).toStrictEqual([table, ...rows.map(({ name }) => name).toSorted()])
  }
})
