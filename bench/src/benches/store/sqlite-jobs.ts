import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { CLAIM, type JobDatabase, type JobDriver, QUEUE, samplePayload } from './job-driver.ts'
import { createJobTable, openKernelJobs } from './kernel-jobs.ts'

type Connection = InstanceType<typeof DatabaseSync>

/** A fresh SQLite file with the job table. */
export async function createSqliteJobs(scratchFolder: string): Promise<JobDatabase> {
  const folder = await mkdtemp(join(scratchFolder, 'sqlite-'))
  const path = join(folder, 'jobs.db')
  const options = { url: `sqlite:${path}`, service: 'bench' }
  await createJobTable(options)
  return {
    pids: [],
    fill: async (waiting) => fill(path, waiting),
    open: { bare: async () => openBare(path), kernel: () => openKernelJobs(options) },
    drop: () => rm(folder, { recursive: true }),
  }
}

/** The driver alone: prepared statements, flushed to the disk at every commit like the kernel's. */
function openBare(path: string): JobDriver {
  const database = openDurable(path)
  const insert = database.prepare(insertText)
  const claim = database.prepare(claimText)
  const payload = JSON.stringify(samplePayload)
  const insertOne = () => {
    const now = new Date().toISOString()
    insert.run(randomUUID(), QUEUE, payload, now, now, now)
  }
  return {
    insert: (count) => inTransaction(database, count, insertOne),
    claim: (limit) => {
      const now = new Date()
      const leaseUntil = new Date(now.getTime() + CLAIM.leaseSeconds * 1000).toISOString()
      const [time, token] = [now.toISOString(), randomUUID()]
      return claim.all(leaseUntil, CLAIM.instance, token, time, QUEUE, time, limit, time).length
    },
    close: async () => database.close(),
  }
}

// One row needs no explicit transaction.
function inTransaction(database: Connection, count: number, insertOne: () => void): number {
  if (count > 1) database.exec('begin immediate')
  for (let done = 0; done < count; done++) insertOne()
  if (count > 1) database.exec('commit')
  return count
}

const insertText = `
  insert into durable_job (id, queue, payload, state, due_at, created_at, updated_at)
  values (?, ?, ?, 'waiting', ?, ?, ?)`

const claimText = `
  update durable_job
  set state = 'claimed', attempts = attempts + 1, due_at = ?, claimed_by = ?, claim_token = ?, updated_at = ?
  where rowid in (
    select rowid from durable_job
    where queue = ? and state in ('waiting', 'claimed') and due_at <= ?
    order by due_at, id limit ?)
  and state in ('waiting', 'claimed') and due_at <= ?
  returning id, payload, attempts, created_at`

// Ids count up as the kernel's do: random ones would scatter over the index and slow both sides down.
const fillText = `
  insert into durable_job (id, queue, payload, state, due_at, created_at, updated_at)
  with recursive number (n) as (select 1 union all select n + 1 from number where n < ?)
  select printf('0190f3c2-7b5e-7000-8000-%012d', n), ?, ?, 'waiting', ?, ?, ? from number`

function fill(path: string, waiting: number): void {
  const database = openDurable(path)
  const now = new Date().toISOString()
  database.exec('delete from durable_job')
  if (waiting > 0) database.prepare(fillText).run(waiting, QUEUE, JSON.stringify(samplePayload), now, now, now)
  // Otherwise the first writes of the sample would pay for checkpointing the filled rows.
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

function openDurable(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  return database
}
