import { randomUUID } from 'node:crypto'
import { plus } from '@chancela/service-kernel/clock'
import type { Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isEnd, type JobStatus, jobMoves } from '../rules/job.ts'
import { storesOf } from '../test-support/as-new.ts'
import { completeNext, failNext, ledgerOn, newJob, openBatchStore, times } from '../test-support/ledger-world.ts'
import { deleteJobRows } from './delete-jobs.ts'
import type { JobChange, JobLedger } from './job-ledger.ts'
import type { Tables } from './tables.ts'

const noon = new Date('2026-11-15T12:00:30.000Z')
const reached = { sha256: 'ab'.repeat(32), length: 4, outputName: 'a.signed.pdf', message: 'Signing.' }
const signed = { message: 'Signed.' }
const failure = { code: 'job.signing-failed', error: 'The signature could not be made.' } as const

const jobOf = (store: Store<Tables>, id: string) =>
  store.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const historyOf = (store: Store<Tables>, id: string) =>
  store.db
    .selectFrom('job_history')
    .select(['status', 'code', 'message'])
    .where('job_id', '=', id)
    .orderBy('id')
    .execute()

for (const [name, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`the ledger of jobs on ${name}`, () => {
    test('a job passes through its states and each leaves a line in its history', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const job = newJob({ externalReference: 'order 7', encryptionRequested: true })
      expect(await ledger.enqueue(job, noon)).toEqual({ outcome: 'Enqueued' })
      const id = await completeNext(ledger, plus(noon, 1_000), { encrypted: true })
      expect(id).toBe(job.id)
      expect(await jobOf(store, id)).toMatchObject({
        status: 'Completed',
        owner: 'test/1',
        created_at: noon.toISOString(),
        finished_at: plus(noon, 1_000).toISOString(),
        input_disposal: 'pending',
        output_encrypted: 1,
        output_length: 10,
        content_length: 4,
        external_reference: 'order 7',
        encryption_requested: 1,
        queue_ms: 5,
        signing_ms: 20,
        verification_ms: 7,
        output_ms: 3,
      })
      expect((await historyOf(store, id)).map(({ status }) => status)).toEqual([
        'Queued',
        'Processing',
        'Verifying',
        'Completed',
      ])
      await expectCountsToAgree(store)
    })

    test('a job that is signed and completed in one write passes through Verifying in its history and for who listens', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const job = newJob()
      await ledger.enqueue(job, noon)
      await ledger.claim(1, noon)
      const heard: JobChange[] = []
      ledger.listen((changes) => heard.push(...changes))
      expect(await ledger.completed(job.id, { ...times, signed }, noon)).toBe(true)
      expect(heard.map(({ from, status }) => [from, status])).toEqual([
        ['Processing', 'Verifying'],
        ['Verifying', 'Completed'],
      ])
      const lines = (await historyOf(store, job.id)).map(({ status, message }) => `${status}: ${message}`)
      expect(lines.slice(-2)).toEqual(['Verifying: Signed.', `Completed: ${times.message}`])
      expect(await jobOf(store, job.id)).toMatchObject({ status: 'Completed', signing_ms: 20 })
      expect(await ledger.completed(job.id, { ...times, signed }, noon)).toBe(false)
      await expectCountsToAgree(store)
    })

    test('no move happens from a state it does not start from', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const ids = await oneJobPerState(ledger)
      for (const [status, id] of Object.entries(ids) as [JobStatus, string][]) {
        const before = await jobOf(store, id)
        const wrong = Object.keys(jobMoves).filter((move) => !startsFrom(move, status))
        for (const move of wrong) expect(await attempt(ledger, move, id), `${move} of a job ${status}`).toBe(false)
        expect(await jobOf(store, id)).toEqual(before)
      }
      await expectCountsToAgree(store)
    })

    test('only the owner of a job moves it on; start-up recovery fails it whoever owned it', async () => {
      const store = await openBatchStore(open)
      const [mine, other] = [ledgerOn(store), ledgerOn(store, { owner: 'test/2' })]
      const job = newJob()
      await mine.enqueue(job, noon)
      await mine.claim(1, noon)
      expect(await other.reachedKey(job.id, reached, noon)).toBe(false)
      expect(await other.signed(job.id, signed, noon)).toBe(false)
      expect(await other.failed(job.id, { from: 'Processing', ...failure }, noon)).toBe(false)
      expect(await mine.signed(job.id, signed, noon)).toBe(true)
      expect(await other.completed(job.id, times, noon)).toBe(false)
      expect(await other.takeOver(job.id, 'nobody')).toBe(false)
      expect(await other.takeOver(job.id, mine.owner)).toBe(true)
      expect(await mine.failed(job.id, { from: 'Verifying', ...failure }, noon)).toBe(false)
      expect(await other.failed(job.id, { from: 'Verifying', ...failure }, noon)).toBe(true)
      expect(await jobOf(store, job.id)).toMatchObject({ status: 'Failed', error_code: 'job.signing-failed' })
      await expectCountsToAgree(store)
    })

    test('of a cancel and a pick-up of one job, exactly one wins', async () => {
      const store = await openBatchStore(open)
      const [ledger, other] = [ledgerOn(store), ledgerOn(await store.reopen(), { owner: 'test/2' })]
      for (let round = 0; round < 10; round += 1) {
        const job = newJob()
        await ledger.enqueue(job, noon)
        const [canceled, claimed] = await Promise.all([
          ledger.canceled(job.id, 'Queued', 'Operator canceled.', noon),
          other.claim(1, noon),
        ])
        expect([canceled, claimed.length === 1].filter(Boolean)).toHaveLength(1)
      }
      await expectCountsToAgree(store)
    })

    test('a name that a Completed or active job carries is refused host-wide and in any case', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const first = newJob({ fileName: 'Ação.PDF', originalPath: '/a/Ação.PDF' })
      await ledger.enqueue(first, noon)
      const again = newJob({ fileName: 'AÇÃO.pdf', originalPath: '/b/x', inputFolder: 'other', profileName: 'second' })
      const refused = { outcome: 'AlreadyProcessed', holderId: first.id, holderName: first.fileName }
      expect(await ledger.enqueue(again, noon), 'while it is active').toEqual(refused)
      await completeNext(ledger, noon)
      expect(await ledger.enqueue(again, noon), 'after it completed').toEqual(refused)
      // The same letters, decomposed, as some systems write file names.
      const decomposed = { ...again, fileName: 'Ação.pdf'.normalize('NFD') }
      expect(await ledger.enqueue(decomposed, noon)).toEqual(refused)
      expect(await ledger.enqueue(again, noon, { named: false }), 'a retry is exempt').toEqual({ outcome: 'Enqueued' })
    })

    test('of two files of one name in one group, the first is queued', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const jobs = ['a.pdf', 'A.PDF', 'b.pdf'].map((fileName, at) => newJob({ fileName, originalPath: `/in/${at}` }))
      const outcomes = await Promise.all(jobs.map((job) => ledger.enqueue(job, noon)))
      expect(outcomes).toEqual([
        { outcome: 'Enqueued' },
        { outcome: 'AlreadyProcessed', holderId: jobs[0]!.id, holderName: 'a.pdf' },
        { outcome: 'Enqueued' },
      ])
      await expectCountsToAgree(store)
    })

    test('Failed and Canceled jobs reserve no name', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const job = () => newJob({ fileName: 'a.pdf' })
      await ledger.enqueue(job(), noon)
      await failNext(ledger, noon)
      const second = job()
      expect(await ledger.enqueue(second, noon)).toEqual({ outcome: 'Enqueued' })
      await ledger.canceled(second.id, 'Queued', 'Operator canceled.', noon)
      expect(await ledger.enqueue(job(), noon)).toEqual({ outcome: 'Enqueued' })
    })

    test('the rule of names can be switched off; a path is still active once', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store, { namesOnce: false })
      const [one, other] = [newJob({ fileName: 'a.pdf' }), newJob({ fileName: 'a.pdf', originalPath: '/other/a.pdf' })]
      expect(await ledger.enqueue(one, noon)).toEqual({ outcome: 'Enqueued' })
      expect(await ledger.enqueue(other, noon)).toEqual({ outcome: 'Enqueued' })
      expect(await ledger.enqueue({ ...newJob(), originalPath: one.originalPath }, noon)).toEqual({
        outcome: 'AlreadyActive',
      })
    })

    test('the file of an active job seen again is AlreadyActive, in one group and until its input is disposed of', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const seen = () => newJob({ fileName: 'a.pdf' })
      const active = { outcome: 'AlreadyActive' }
      const job = seen()
      expect(await Promise.all([ledger.enqueue(job, noon), ledger.enqueue(seen(), noon)])).toEqual([
        { outcome: 'Enqueued' },
        active,
      ])
      await completeNext(ledger, noon)
      expect(await ledger.enqueue(seen(), noon), 'completed, the input not yet deleted').toEqual(active)
      await ledger.inputSettled(job.id, 'deleted', noon)
      expect(await ledger.enqueue(seen(), noon)).toEqual({
        outcome: 'AlreadyProcessed',
        holderId: job.id,
        holderName: job.fileName,
      })
    })

    test('of two that ask for one move in one turn, one is told that it happened', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const job = newJob()
      await ledger.enqueue(job, noon)
      const cancel = () => ledger.canceled(job.id, 'Queued', 'Operator canceled.', noon)
      expect(await Promise.all([cancel(), cancel(), cancel()])).toEqual([true, false, false])
      expect(await historyOf(store, job.id)).toHaveLength(2)
      await expectCountsToAgree(store)
    })

    test('of two instances that see one path at once, one queues it', async () => {
      const store = await openBatchStore(open)
      const ledgers = [ledgerOn(store), ledgerOn(await store.reopen(), { owner: 'test/2' })]
      for (let round = 0; round < 10; round += 1) {
        const originalPath = `/in/${round}.pdf`
        const outcomes = await Promise.all(ledgers.map((ledger) => ledger.enqueue(newJob({ originalPath }), noon)))
        expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['AlreadyActive', 'Enqueued'])
      }
      await expectCountsToAgree(store)
    })

    test('a paused pipeline hands out nothing, and everything again afterwards', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      await ledger.enqueue(newJob(), noon)
      await store.db.updateTable('pipeline_state').set({ paused: 1 }).execute()
      expect(await ledger.claim(10, noon)).toEqual([])
      await store.db.updateTable('pipeline_state').set({ paused: 0 }).execute()
      expect(await ledger.claim(10, noon)).toHaveLength(1)
    })

    test('the oldest jobs are picked up first, and no two claimers get one job', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const jobs = Array.from({ length: 120 }, () => newJob())
      for (const [at, job] of jobs.entries()) void ledger.enqueue(job, plus(noon, at))
      await ledger.enqueue(newJob({ fileName: 'last.pdf' }), plus(noon, 1_000))
      const oldest = await ledger.claim(20, noon)
      expect(oldest.map(({ id }) => id).sort()).toEqual(
        jobs
          .slice(0, 20)
          .map(({ id }) => id)
          .sort(),
      )

      const others = [ledger, ledgerOn(await store.reopen(), { owner: 'test/2' })]
      const rounds = await Promise.all(
        Array.from({ length: 40 }, (_, at) => others[at % 2]!.claim(3, plus(noon, 2_000 + at))),
      )
      const rest = rounds.flat().map(({ id }) => id)
      expect(new Set(rest).size).toBe(rest.length)
      expect(rest).toHaveLength(101)
      await expectCountsToAgree(store)
    })

    test('a refused file is a job born Failed that reserves nothing', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const job = { ...newJob({ fileName: 'a.pdf' }), code: 'file.already-processed', error: 'Signed before.' }
      expect(await ledger.recordRefused(job, noon)).toBe(true)
      expect(await jobOf(store, job.id)).toMatchObject({
        status: 'Failed',
        error_code: 'file.already-processed',
        error_message: 'Signed before.',
        finished_at: noon.toISOString(),
      })
      expect(await historyOf(store, job.id)).toEqual([
        { status: 'Failed', code: 'file.already-processed', message: 'Signed before.' },
      ])
      expect(await ledger.enqueue(newJob({ fileName: 'a.pdf' }), noon)).toEqual({ outcome: 'Enqueued' })
      await expectCountsToAgree(store)
    })

    test('an input is settled once; a divergence leaves its code in the history', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      await ledger.enqueue(newJob(), noon)
      const id = await completeNext(ledger, noon)
      const line = { code: 'job.input-diverged', message: 'Left in place.' }
      expect(await ledger.inputSettled(id, 'diverged', noon, line)).toBe(true)
      expect(await ledger.inputSettled(id, 'deleted', noon)).toBe(false)
      expect((await historyOf(store, id)).at(-1)).toEqual({ status: 'Completed', ...line })
    })

    test('payments are kept with their job', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      await ledger.enqueue(newJob(), noon)
      const [job] = await ledger.claim(1, noon)
      await ledger.reachedKey(job!.id, { ...reached, cnab240: '{"paymentCount":1}', payments: '[{"record":3}]' }, noon)
      await ledger.signed(job!.id, signed, noon)
      await ledger.completed(job!.id, times, noon)
      const kept = await store.db.selectFrom('job_payments').selectAll().execute()
      expect(kept).toEqual([{ job_id: job!.id, payments: '[{"record":3}]' }])
    })

    test('violations are lines of the history before the failure itself', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      await ledger.enqueue(newJob(), noon)
      const [job] = await ledger.claim(1, noon)
      await ledger.failed(
        job!.id,
        { from: 'Processing', code: 'cnab240.invalid', error: 'No remittance.', lines: ['Line 1', 'Line 2'] },
        noon,
      )
      expect((await historyOf(store, job!.id)).slice(2)).toEqual([
        { status: 'Processing', code: null, message: 'Line 1' },
        { status: 'Processing', code: null, message: 'Line 2' },
        { status: 'Failed', code: 'cnab240.invalid', message: 'No remittance.' },
      ])
    })

    test('listeners hear of every durable change, and one that throws makes nothing undone', async () => {
      const store = await openBatchStore(open)
      const errors: unknown[] = []
      const ledger = ledgerOn(store, { onListenerError: (error) => errors.push(error) })
      const heard: JobChange[] = []
      const bug = new Error('A listener with a bug.')
      ledger.listen(() => {
        throw bug
      })
      const stop = ledger.listen((changes) => heard.push(...changes))
      const job = newJob()
      expect(await ledger.enqueue(job, noon)).toEqual({ outcome: 'Enqueued' })
      await completeNext(ledger, noon, { encrypted: true })
      expect(heard.map(({ from, status }) => [from, status])).toEqual([
        [null, 'Queued'],
        ['Queued', 'Processing'],
        ['Processing', 'Verifying'],
        ['Verifying', 'Completed'],
      ])
      expect(heard[0]).toMatchObject({ id: job.id, fileName: job.fileName, inputFolder: 'default' })
      expect(heard[3]).toMatchObject({ encrypted: true, durationMs: 30 })
      expect(errors).toEqual([bug, bug, bug, bug])
      stop()
      await ledger.enqueue(newJob(), noon)
      expect(heard).toHaveLength(4)
    })

    test('what no database can hold is written in a form it can, and loses neither the job nor its neighbours', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const [odd, even] = [newJob({ fileName: 'half\ud800.pdf', originalPath: '/input/half.pdf' }), newJob()]
      expect(await Promise.all([ledger.enqueue(odd, noon), ledger.enqueue(even, noon)])).toEqual([
        { outcome: 'Enqueued' },
        { outcome: 'Enqueued' },
      ])
      await ledger.claim(2, noon)
      await Promise.all([
        ledger.failed(odd.id, { from: 'Processing', code: 'job.signing-failed', error: 'nul \u0000 in it' }, noon),
        ledger.failed(even.id, { from: 'Processing', ...failure }, noon),
      ])
      expect(await jobOf(store, odd.id)).toMatchObject({
        file_name: 'half\uFFFD.pdf',
        status: 'Failed',
        error_message: 'nul \uFFFD in it',
      })
      expect(await jobOf(store, even.id)).toMatchObject({ status: 'Failed' })
    })

    test('deleted jobs leave with their history and payments; jobs in flight stay', async () => {
      const store = await openBatchStore(open)
      const ledger = ledgerOn(store)
      const [ended, running] = [newJob(), newJob()]
      await ledger.enqueue(ended, noon)
      await ledger.canceled(ended.id, 'Queued', 'Operator canceled.', noon)
      await store.db.insertInto('job_payments').values({ job_id: ended.id, payments: '[]' }).execute()
      await ledger.enqueue(running, noon)
      await ledger.claim(1, noon)
      const gone = await store.transaction((tx) => deleteJobRows(tx, [ended.id, running.id]))
      expect(gone).toEqual([ended.id])
      expect(await historyOf(store, ended.id)).toEqual([])
      expect(await store.db.selectFrom('job_payments').selectAll().execute()).toEqual([])
      expect(await jobOf(store, running.id)).toMatchObject({ status: 'Processing' })
      await expectCountsToAgree(store)
    })

    test('history, tally, calendar and throughput agree with the jobs after any sequence of moves', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
          async (groups) => {
            const store = await openBatchStore(open)
            const ended = await play(store, ledgerOn(store), groups)
            await expectCountsToAgree(store)
            await expectHistoriesToAgree(store)
            expect(await endedByMinute(store)).toEqual(ended)
          },
        ),
        { numRuns: name === 'SQLite' ? 40 : 12 },
      )
    })
  })

  describe(`a ledger whose ${name} fails for a passing reason`, () => {
    test('tries again and writes nothing twice, whether or not the failed commit was written', async () => {
      for (const written of [false, true]) {
        const store = await openBatchStore(open)
        const troubled = failingOnce(store, written)
        const troubles: unknown[] = []
        let recovered = 0
        const ledger = ledgerOn(troubled, {
          onTrouble: (error) => troubles.push(error),
          onRecovery: () => (recovered += 1),
          tell: (tx, { changes }) => rememberTold(tx, changes),
        })
        const heard: JobChange[] = []
        ledger.listen((changes) => heard.push(...changes))
        const jobs = [newJob(), newJob()]

        troubled.failNext()
        expect(await Promise.all(jobs.map((job) => ledger.enqueue(job, noon)))).toEqual([
          { outcome: 'Enqueued' },
          { outcome: 'Enqueued' },
        ])
        const claimed = await ledger.claim(2, noon)
        for (const move of ['reachedKey', 'signed', 'completed', 'input'] as const) {
          troubled.failNext()
          expect(await Promise.all(claimed.map(({ id }) => moveOn(ledger, move, id)))).toEqual([true, true])
        }
        expect(troubles).toHaveLength(5)
        expect(recovered).toBe(5)
        expect(heard).toHaveLength(8)
        for (const { id } of jobs) expect(await historyOf(store, id)).toHaveLength(5)
        heard.length = 0
        const atOnce = newJob()
        await ledger.enqueue(atOnce, noon)
        await ledger.claim(1, noon)
        troubled.failNext()
        expect(await ledger.completed(atOnce.id, { ...times, signed }, noon)).toBe(true)
        expect(heard.map(({ status }) => status)).toEqual(['Queued', 'Processing', 'Verifying', 'Completed'])
        expect(await historyOf(store, atOnce.id)).toHaveLength(4)
        expect(await toldOf(store, atOnce.id)).toEqual(['Completed', 'Queued', 'Verifying'])
        expect(await toldOf(store, jobs[0]!.id)).toEqual(['Completed', 'Queued', 'Verifying'])
        await expectCountsToAgree(store)
        expect(await endedByMinute(store)).toEqual({ '2026-11-15T12:00': { completed: 3, failed: 0, canceled: 0 } })
      }
    })

    test('throws to who does not wait, and no job is left to run, whether or not the failed commit was written', async () => {
      for (const written of [false, true]) {
        const store = await openBatchStore(open)
        const troubled = failingOnce(store, written)
        const ledger = ledgerOn(troubled, { onTrouble: () => undefined })
        const job = newJob()
        troubled.failNext()
        await expect(ledger.enqueueInTime(job, noon)).rejects.toThrow('lost')
        await ledger.close()
        const rows = await store.db.selectFrom('job').select(['id', 'status']).execute()
        expect(rows).toEqual(written ? [{ id: job.id, status: 'Canceled' }] : [])
        expect(await ledger.claim(5, noon)).toEqual([])
        expect(await ledger.enqueueInTime(newJob({ fileName: job.fileName }), noon)).toEqual({
          outcome: 'Enqueued',
        })
        await expectCountsToAgree(store)
      }
    })

    test('finds the jobs of a claim that was written although it failed, and hands each out once', async () => {
      const store = await openBatchStore(open)
      const troubled = failingOnce(store, true)
      const ledger = ledgerOn(troubled)
      const jobs = [newJob(), newJob(), newJob()]
      await Promise.all(jobs.map((job, at) => ledger.enqueue(job, plus(noon, at))))
      const [first] = await ledger.claim(1, noon)
      troubled.failNext()
      await expect(ledger.claim(1, noon)).rejects.toThrow('lost')
      const [second, ...none] = await ledger.claim(1, noon)
      expect([first!.id, second!.id]).toEqual([jobs[0]!.id, jobs[1]!.id])
      expect(none).toEqual([])
      expect((await ledger.claim(5, noon)).map(({ id }) => id)).toEqual([jobs[2]!.id])
      await expectCountsToAgree(store)
    })
  })
}

/** Writes what is told as a teller does; told twice, it would be there twice. */
async function rememberTold(tx: Kysely<Tables>, changes: readonly JobChange[]): Promise<void> {
  const rows = changes.map(({ id, status }) => ({ id: `${id} ${status} ${randomUUID()}`, cleaned_at: '' }))
  await tx.insertInto('cleaned_output').values(rows).execute()
}

async function toldOf({ db }: Store<Tables>, jobId: string): Promise<string[]> {
  const rows = await db.selectFrom('cleaned_output').select('id').where('id', 'like', `${jobId} %`).execute()
  return rows.map(({ id }) => id.split(' ')[1]!).toSorted()
}

/** A store whose next transaction fails like a lost connection, before or after its commit. */
function failingOnce(store: Store<Tables>, written: boolean): Store<Tables> & { failNext(): void } {
  const lost = new Error('The connection was lost.')
  let failing = false
  return {
    ...store,
    failNext: () => {
      failing = true
    },
    transaction: async (work) => {
      const fails = failing
      failing = false
      if (fails && !written) throw lost
      const result = await store.transaction(work)
      if (fails) throw lost
      return result
    },
    problem: (error) => (error === lost ? (lost as ReturnType<typeof store.problem>) : store.problem(error)),
  }
}

const startsFrom = (move: string, status: JobStatus): boolean =>
  (jobMoves[move as keyof typeof jobMoves].from as readonly JobStatus[]).includes(status)

/** Tries a move of the table from its expected state; pick-up takes any queued job and is left out. */
async function attempt(ledger: JobLedger, move: string, id: string): Promise<boolean> {
  if (move === 'signed') return ledger.signed(id, signed, noon)
  if (move === 'complete') return ledger.completed(id, times, noon)
  if (move === 'fail')
    return (
      (await ledger.failed(id, { from: 'Processing', ...failure }, noon)) ||
      ledger.failed(id, { from: 'Verifying', ...failure }, noon)
    )
  if (move === 'cancel') return ledger.canceled(id, 'Queued', 'Operator canceled.', noon)
  return (await ledger.claim(0, noon)).length > 0
}

function moveOn(
  ledger: JobLedger,
  move: 'reachedKey' | 'signed' | 'completed' | 'input',
  id: string,
): Promise<boolean> {
  if (move === 'reachedKey') return ledger.reachedKey(id, reached, noon)
  if (move === 'signed') return ledger.signed(id, signed, noon)
  return move === 'completed' ? ledger.completed(id, times, noon) : ledger.inputSettled(id, 'deleted', noon)
}

async function oneJobPerState(ledger: JobLedger): Promise<Partial<Record<JobStatus, string>>> {
  const enqueued = async () => {
    const job = newJob()
    await ledger.enqueue(job, noon)
    return job.id
  }
  await enqueued()
  const Completed = await completeNext(ledger, noon)
  await enqueued()
  const Failed = await failNext(ledger, noon)
  const Canceled = await enqueued()
  await ledger.canceled(Canceled, 'Queued', 'Operator canceled.', noon)
  const Processing = await enqueued()
  await ledger.claim(1, noon)
  const Verifying = await enqueued()
  await ledger.claim(1, noon)
  await ledger.signed(Verifying, signed, noon)
  return { Completed, Failed, Canceled, Processing, Verifying, Queued: await enqueued() }
}

type Step = readonly [
  what:
    | 'enqueue'
    | 'refuse'
    | 'claim'
    | 'key'
    | 'sign'
    | 'complete'
    | 'completeAtOnce'
    | 'fail'
    | 'cancel'
    | 'settle'
    | 'delete',
  which: number,
]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    'enqueue',
    'enqueue',
    'refuse',
    'claim',
    'key',
    'sign',
    'complete',
    'completeAtOnce',
    'fail',
    'cancel',
    'settle',
    'delete',
  ),
  fc.nat(7),
)

type Ended = Record<string, { completed: number; failed: number; canceled: number }>

/** Runs groups of steps, each group concurrently; returns what ended in each minute by the ledger's own answers. */
async function play(store: Store<Tables>, ledger: JobLedger, groups: readonly (readonly Step[])[]): Promise<Ended> {
  const ids: string[] = []
  const ended: Ended = {}
  let now = noon
  const end = async (what: 'completed' | 'failed' | 'canceled', answer: Promise<boolean>) => {
    const minute = now.toISOString().slice(0, 16)
    if (!(await answer)) return
    ended[minute] ??= { completed: 0, failed: 0, canceled: 0 }
    ended[minute][what] += 1
  }
  const fresh = (which: number) => {
    const job = newJob({
      fileName: `${which}.pdf`,
      profileName: which % 2 ? 'odd' : 'even',
      format: which % 3 ? 'Pades' : 'Cades',
    })
    ids.push(job.id)
    return job
  }
  const steps: Record<Step[0], (id: string, which: number) => Promise<unknown>> = {
    enqueue: (_, which) => ledger.enqueue(fresh(which), now, { named: which % 2 === 0 }),
    refuse: (_, which) => end('failed', ledger.recordRefused({ ...fresh(which), ...failure }, now)),
    claim: (_, which) => ledger.claim(which, now),
    key: (id) => ledger.reachedKey(id, reached, now),
    sign: (id) => ledger.signed(id, signed, now),
    complete: (id, which) => end('completed', ledger.completed(id, { ...times, encrypted: which % 2 === 0 }, now)),
    completeAtOnce: (id) => end('completed', ledger.completed(id, { ...times, signed }, now)),
    fail: (id, which) =>
      end('failed', ledger.failed(id, { from: which % 2 ? 'Processing' : 'Verifying', ...failure }, now)),
    cancel: (id) => end('canceled', ledger.canceled(id, 'Queued', 'Operator canceled.', now)),
    settle: (id) => ledger.inputSettled(id, 'deleted', now),
    delete: (id) => store.transaction((tx) => deleteJobRows(tx, [id])),
  }
  for (const group of groups) {
    await Promise.all(group.map(([what, which]) => steps[what](ids[which % Math.max(1, ids.length)] ?? '', which)))
    now = plus(now, 20_000)
  }
  return ended
}

async function expectCountsToAgree(store: Store<Tables>): Promise<void> {
  const jobs = await store.db.selectFrom('job').selectAll().execute()
  const tally = await store.db.selectFrom('job_tally').selectAll().execute()
  expect(sums(tally.map(({ n, ...key }) => [key, n]))).toEqual(
    sums(jobs.map(({ profile_name, status, source, format }) => [{ profile_name, status, source, format }, 1])),
  )
  const calendar = await store.db.selectFrom('job_calendar').selectAll().execute()
  const created = jobs.flatMap(({ created_at, profile_name, source, format, status }) => {
    const rest = { profile_name, source, format, ended: isEnd(status) ? status : '' }
    return [
      [{ level: 'day', span: created_at.slice(0, 10), ...rest }, 1],
      [{ level: 'minute', span: created_at.slice(0, 16), ...rest }, 1],
    ] as const
  })
  expect(sums(calendar.map(({ n, ...key }) => [key, n]))).toEqual(sums(created))
}

function sums(rows: readonly (readonly [key: object, n: number])[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [key, n] of rows) {
    const text = JSON.stringify(Object.entries(key).sort())
    found[text] = (found[text] ?? 0) + n
  }
  return Object.fromEntries(Object.entries(found).filter(([, n]) => n !== 0))
}

async function expectHistoriesToAgree(store: Store<Tables>): Promise<void> {
  const jobs = await store.db.selectFrom('job').select(['id', 'status']).execute()
  for (const { id, status } of jobs) {
    const lines = (await historyOf(store, id)).map((line) => line.status)
    expect(lines.at(-1)).toBe(status)
    expect(lines[0] === 'Queued' || lines.length === 1).toBe(true)
  }
}

async function endedByMinute(store: Store<Tables>): Promise<Ended> {
  const rows = await store.db.selectFrom('throughput').select(['minute', 'completed', 'failed', 'canceled']).execute()
  return Object.fromEntries(rows.map(({ minute, ...counts }) => [minute, counts]))
}
