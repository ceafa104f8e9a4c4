import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { BenchPostgres } from '../../scene.ts'
import { CLAIM, type JobDatabase, type JobDriver, QUEUE, samplePayload } from './job-driver.ts'
import { createJobTable, openKernelJobs } from './kernel-jobs.ts'

/** A fresh PostgreSQL schema with the job table. */
export async function createPostgresJobs({ url, pids }: BenchPostgres): Promise<JobDatabase> {
  const service = `bench-${randomBytes(6).toString('hex')}`
  const schema = service.replaceAll('-', '_')
  await createJobTable({ url, service })
  const keeper = await connect(url, schema)
  return {
    pids,
    fill: (waiting) => fill(keeper, waiting),
    open: { bare: () => openBare(url, schema), kernel: () => openKernelJobs({ url, service }) },
    drop: async () => {
      await keeper.query(`drop schema ${keeper.escapeIdentifier(schema)} cascade`)
      await keeper.end()
    },
  }
}

/** The driver alone: one connection, named prepared statements. */
async function openBare(url: string, schema: string): Promise<JobDriver> {
  const client = await connect(url, schema)
  const payload = JSON.stringify(samplePayload)
  return {
    insert: async (count) => {
      const ids = Array.from({ length: count }, () => randomUUID())
      const values = [QUEUE, payload, new Date().toISOString(), ids]
      return (await client.query({ name: 'bare_insert', text: insertText, values })).rowCount ?? 0
    },
    claim: async (limit) => {
      const now = new Date()
      const leaseUntil = new Date(now.getTime() + CLAIM.leaseSeconds * 1000).toISOString()
      const values = [leaseUntil, CLAIM.instance, randomUUID(), now.toISOString(), QUEUE, limit]
      return (await client.query({ name: 'bare_claim', text: claimText, values })).rows.length
    },
    close: () => client.end(),
  }
}

const insertText = `
  insert into durable_job (id, queue, payload, state, due_at, created_at, updated_at)
  select id, $1, $2, 'waiting', $3, $3, $3 from unnest($4::text[]) as job (id)`

const claimText = `
  update durable_job
  set state = 'claimed', attempts = attempts + 1, due_at = $1, claimed_by = $2, claim_token = $3, updated_at = $4
  where id = any(array(
    select id from durable_job
    where queue = $5 and state in ('waiting', 'claimed') and due_at <= $4
    order by due_at, id limit $6
    for update skip locked))
  and state in ('waiting', 'claimed') and due_at <= $4
  returning id, payload, attempts, created_at`

const fillText = `
  insert into durable_job (id, queue, payload, state, due_at, created_at, updated_at)
  select '0190f3c2-7b5e-7000-8000-' || lpad(n::text, 12, '0'), $2, $3, 'waiting', $4, $4, $4
  from generate_series(1, $1::integer) as n`

async function fill(keeper: pg.Client, waiting: number): Promise<void> {
  await keeper.query('truncate durable_job')
  await keeper.query(fillText, [waiting, QUEUE, JSON.stringify(samplePayload), new Date().toISOString()])
  // Otherwise autovacuum would run during a sample.
  await keeper.query('vacuum analyze durable_job')
}

async function connect(url: string, schema: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  return client
}
