import { appendFileSync, existsSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildRemittance, samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ProfileDirectory, SigningPlan } from '../src/parts/signing/signing.ts'
import { ProfileHeld } from '../src/rules/conditions.ts'
import { JobFailure } from '../src/rules/job-failure.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'

/** The profiles of a world with a change to every plan. */
const withPlans =
  (change: (plan: SigningPlan) => Partial<SigningPlan>) =>
  (profiles: ProfileDirectory): ProfileDirectory => ({
    ...profiles,
    plan: (job) => {
      const plan = profiles.plan(job)
      return { ...plan, ...change(plan) }
    },
  })

for (const [name, openStore] of Object.entries(testStores))
  describe(`the pipeline on ${name}`, () => {
    const open = storesOf(openStore)

    it('signs, verifies and puts out each format, as strangers confirm, and deletes the inputs', async () => {
      const world = await pipelineWorld(open)
      const ids = [
        await world.drop('a.pdf', samplePdf('A contract')),
        await world.drop('b.xml', '<nota><valor>10</valor></nota>'),
        await world.drop('c.bin', Buffer.from([0, 1, 2, 3])),
      ]
      world.pipeline.start()
      for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'Completed', error_code: null })
      expect(world.list('input')).toEqual([])
      expect(world.list('processing')).toEqual([])
      expect(world.list('output')).toEqual(['a.signed.pdf', 'b.signed.xml', 'c.bin.p7m'])

      const [pdf, xml, cms] = world.list('output').map((file) => join(world.root, 'output', file))
      const ca = join(temporaryFolder(), 'root.pem')
      writeFileSync(ca, world.rootPem)
      expect((await runTool('pdfsig', [pdf!])).text).toContain('Signature is Valid.')
      expect(
        (await runTool('xmlsec1', ['--verify', '--trusted-pem', ca, '--id-attr:Id', 'SignedProperties', xml!])).text,
      ).toMatch(/OK/)
      const verified = await openssl(['cms', '-verify', '-inform', 'DER', '-in', cms!, '-CAfile', ca, '-binary'])
      expect([...verified.stdout]).toEqual([0, 1, 2, 3])
    })

    it('moves a job through Queued, Processing, Verifying and Completed, and says what was signed before the key is asked', async () => {
      const world = await pipelineWorld(open)
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      const row = await world.ended(id)
      const history = await world.history(id)
      expect(history.map(({ status }) => status)).toEqual(['Queued', 'Processing', 'Verifying', 'Completed'])
      expect(history[2]!.message).toContain(row.content_sha256)
      expect(row.reached_key_at! >= row.started_at!).toBe(true)
      expect(row).toMatchObject({ output_name: 'a.signed.pdf', input_disposal: 'deleted', output_encrypted: 0 })
      expect(Number(row.output_length)).toBe(world.read('output', 'a.signed.pdf').length)
      for (const ms of [row.queue_ms, row.signing_ms, row.verification_ms, row.output_ms])
        expect(ms).toBeGreaterThanOrEqual(0)
    })

    it('stages a large file on disk and signs it there', async () => {
      const world = await pipelineWorld(open, { settings: { Pipeline: { InMemoryBytes: 65_536 } } })
      const bytes = Buffer.alloc(3_000_000, 'remessa ')
      const id = await world.drop('large.bin', bytes)
      world.pipeline.start()
      expect(await world.ended(id)).toMatchObject({ status: 'Completed', content_length: bytes.length })
      expect(world.list('processing')).toEqual([])
      const signed = join(world.root, 'output', 'large.bin.p7m')
      const verified = await openssl(['cms', '-verify', '-noverify', '-inform', 'DER', '-in', signed, '-binary'])
      expect(verified.stdout.equals(bytes)).toBe(true)
    })

    it('never overwrites an output: the job fails with "Output already exists at" and the file goes to error/<jobid>/', async () => {
      const world = await pipelineWorld(open)
      writeFileSync(join(world.root, 'output', 'a.signed.pdf'), 'somebody else’s')
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      const row = await world.ended(id)
      expect(row).toMatchObject({ status: 'Failed', error_code: 'job.output-exists' })
      expect(row.error_message).toBe(`Output already exists at ${join(world.root, 'output', 'a.signed.pdf')}.`)
      expect(world.read('output', 'a.signed.pdf').toString()).toBe('somebody else’s')
      expect(world.read('error', id, 'a.pdf').equals(samplePdf('A contract'))).toBe(true)
      expect(world.has('input', 'a.pdf')).toBe(true)
      expect(world.list('processing')).toEqual([])
    })

    it('records InputDiverged for a file rewritten during its job, leaves it in place and hands it back to its watcher', async () => {
      const rewritten: (() => void)[] = []
      const world = await pipelineWorld(open, {
        wrapProfiles: withPlans((plan) => ({
          sign: async (...given) => {
            rewritten.shift()?.()
            return plan.sign(...given)
          },
        })),
      })
      const path = join(world.root, 'input', 'a.pdf')
      rewritten.push(() => appendFileSync(path, '%'))
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      expect(await world.ended(id)).toMatchObject({ status: 'Completed', input_disposal: 'diverged' })
      expect(existsSync(path)).toBe(true)
      expect(world.handedBack.map((job) => job.id)).toEqual([id])
      expect((await world.history(id)).at(-1)).toMatchObject({ status: 'Completed', code: 'job.input-diverged' })
      expect(await world.eventTypes()).toEqual(['InputDiverged'])
      expect(await world.metric('bulk_inputs_diverged_total{profile="default"}')).toBe(1)

      rewritten.push(() => appendFileSync(join(world.root, 'input', 'b.pdf'), '%'))
      const upload = await world.drop('b.pdf', samplePdf('Another'), { source: 'Upload', inputFolder: null })
      expect(await world.ended(upload)).toMatchObject({ input_disposal: 'diverged' })
      expect(world.handedBack).toHaveLength(1)
    })

    it('fails a job whose input is gone', async () => {
      const world = await pipelineWorld(open)
      const gone = await world.drop('a.pdf', samplePdf('A contract'))
      unlinkSync(join(world.root, 'input', 'a.pdf'))
      world.pipeline.start()
      expect(await world.ended(gone)).toMatchObject({ status: 'Failed', error_code: 'job.input-missing' })
      expect(world.list('error')).toEqual([])
    })

    it('fails a job whose signature does not verify and puts nothing out', async () => {
      const world = await pipelineWorld(open, {
        wrapProfiles: withPlans((plan) => ({
          sign: async (...given) => ({
            ...(await plan.sign(...given)),
            verify: async () => {
              throw new JobFailure('job.verification-failed')
            },
          }),
        })),
      })
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      expect(await world.ended(id)).toMatchObject({ status: 'Failed', error_code: 'job.verification-failed' })
      expect((await world.history(id)).map(({ status }) => status)).toEqual([
        'Queued',
        'Processing',
        'Verifying',
        'Failed',
      ])
      expect(world.list('output')).toEqual([])
      expect(world.list('input')).toEqual(['a.pdf'])
    })

    it('counts jobs with Verify false, and certificates that were refused before signing', async () => {
      const revoked = new ProfileHeld('certificate-revoked', 'It was revoked.')
      const world = await pipelineWorld(open, {
        profiles: { quick: { verify: false } },
        wrapProfiles: withPlans(({ profile }) => ({
          validateCertificate: async () => {
            if (profile.name === 'default') throw revoked
          },
        })),
        probe: async () => {
          throw revoked
        },
      })
      const quick = await world.drop('a.pdf', samplePdf('A'), { profileName: 'quick' })
      const refused = await world.drop('b.pdf', samplePdf('B'))
      world.pipeline.start()
      expect(await world.ended(quick)).toMatchObject({ status: 'Completed' })
      const waiting = { status: 'Queued', error_code: 'job.certificate-invalid', reached_key_at: null }
      await expect.poll(() => world.row(refused)).toMatchObject(waiting)
      expect(await world.metric('bulk_jobs_verify_skipped_total{profile="quick"}')).toBe(1)
      expect(await world.metric('bulk_cert_validation_failed_total{profile="default"}')).toBe(1)
    })

    it('leaves a job alone whose row somebody else has moved, and takes its output back', async () => {
      let takeAway = async () => {}
      const world = await pipelineWorld(open, {
        wrapProfiles: withPlans((plan) => ({
          sign: async (...given) => {
            const signed = await plan.sign(...given)
            return {
              ...signed,
              output: async (now) => {
                await takeAway()
                return signed.output(now)
              },
            }
          },
        })),
      })
      const taken = new Promise<void>((resolve) => {
        takeAway = async () => {
          await world.store.db.updateTable('job').set({ owner: 'another' }).execute()
          resolve()
        }
      })
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      await taken
      await expect.poll(() => world.pipeline.inFlight().total, { interval: 5 }).toBe(0)
      expect(await world.row(id)).toMatchObject({ status: 'Processing', owner: 'another' })
      expect(world.list('output')).toEqual([])
      expect(world.list('input')).toEqual(['a.pdf'])
    })

    it('picks nothing up while the pipeline is paused', async () => {
      const world = await pipelineWorld(open)
      await world.store.db.updateTable('pipeline_state').set({ paused: 1 }).execute()
      const id = await world.drop('a.pdf', samplePdf('A contract'))
      world.pipeline.start()
      await world.context.ledger.claim(1, world.context.clock())
      expect(await world.row(id)).toMatchObject({ status: 'Queued' })
      expect(await world.metric('bulk_pipeline_paused')).toBe(1)
      await world.store.db.updateTable('pipeline_state').set({ paused: 0 }).execute()
      world.pipeline.wake()
      expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
    })

    it('pauses itself with an event while the disk is full, fails no job, and goes on by itself', async () => {
      let full = true
      const world = await pipelineWorld(open, {
        faults: ({ operation }) => (full && operation === 'writevSync' ? { errno: 'ENOSPC' } : undefined),
      })
      const ids = await Promise.all(['a', 'b', 'c'].map((one) => world.drop(`${one}.pdf`, samplePdf(one))))
      world.pipeline.start()
      await expect.poll(() => world.eventTypes()).toEqual(['StoragePaused'])
      expect(world.pipeline.waitsForStorage()).toMatchObject({ message: 'The work folders have no room.' })
      const late = await world.drop('d.pdf', samplePdf('d'))
      full = false
      for (const id of [...ids, late]) expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
      await expect.poll(() => world.eventTypes()).toEqual(['StorageResumed', 'StoragePaused'])
      expect(world.list('processing')).toEqual([])
    })

    it.each(['EMFILE', 'ENFILE'] as const)(
      'fails no job while no file can be opened (%s), and goes on by itself',
      async (errno) => {
        let refusals = 2
        const world = await pipelineWorld(open, {
          faults: ({ operation, path }) =>
            operation.startsWith('open') && path.endsWith('a.pdf') && refusals-- > 0 ? { errno } : undefined,
        })
        const id = await world.drop('a.pdf', samplePdf('A contract'))
        world.pipeline.start()
        expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
        expect(refusals).toBeLessThanOrEqual(0)
        await expect.poll(() => world.eventTypes()).toContain('StorageResumed')
      },
    )

    it.each(['EIO', 'EACCES'] as const)(
      'fails a job with job.storage-failed when its own output meets %s, and keeps its input',
      async (errno) => {
        let own = ''
        const world = await pipelineWorld(open, {
          faults: ({ operation, path }) =>
            operation === 'fsync' && path.endsWith('.out') && path.includes(own) ? { errno } : undefined,
        })
        const id = await world.drop('a.pdf', samplePdf('a'))
        own = id
        world.pipeline.start()
        expect(await world.ended(id)).toMatchObject({ status: 'Failed', error_code: 'job.storage-failed' })
        expect(world.list('input')).toEqual(['a.pdf'])
        expect(world.list('output')).toEqual([])
        expect(world.read('error', id, 'a.pdf').equals(samplePdf('a'))).toBe(true)
      },
    )

    it.each(['gone', 'not a folder'] as const)(
      'waits for an output folder that is %s, fails nothing by it, says so, and goes on by itself',
      async (how) => {
        const world = await pipelineWorld(open)
        const output = join(world.root, 'output')
        renameSync(output, `${output}-away`)
        if (how === 'not a folder') writeFileSync(output, '')
        const ids = await Promise.all(['a', 'b', 'c'].map((one) => world.drop(`${one}.pdf`, samplePdf(one))))
        world.pipeline.start()
        await expect.poll(() => world.eventTypes()).toEqual(['StoragePaused'])
        const reason = expect.stringMatching(/The output could not be (written|put into its folder)/)
        expect(world.pipeline.waitsForStorage()).toMatchObject({ message: reason })
        expect(await world.metric('bulk_jobs_failed_total')).toBe(0)
        rmSync(output, { force: true })
        renameSync(`${output}-away`, output)
        for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
        await expect.poll(() => world.eventTypes()).toEqual(['StorageResumed', 'StoragePaused'])
        expect(world.list('output')).toEqual(['a.signed.pdf', 'b.signed.pdf', 'c.signed.pdf'])
        expect(world.list('processing')).toEqual([])
      },
    )

    it('shows an output only after its job has completed', async () => {
      const seen: (readonly string[])[] = []
      const world = await pipelineWorld(open, {
        faults: ({ operation }) => {
          if (operation === 'renameNewSync') seen.push(world.list('output'))
          return undefined
        },
      })
      const { completed } = world.context.ledger
      const outputs: (readonly string[])[] = []
      Object.assign(world.context.ledger, {
        completed: async (...given: Parameters<typeof completed>) => {
          const moved = await completed.apply(world.context.ledger, given)
          outputs.push(world.list('output'))
          return moved
        },
      })
      const id = await world.drop('a.pdf', samplePdf('a'))
      world.pipeline.start()
      expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
      expect([outputs, seen]).toEqual([[[]], [[]]])
      expect(world.list('output')).toEqual(['a.signed.pdf'])
    })

    it('stays Completed when a stranger takes the name in the last moment, and delivers when it is free', async () => {
      const world = await pipelineWorld(open, {
        faults: ({ operation, to }) => {
          if (operation === 'renameNewSync' && !world.has('stranger')) {
            writeFileSync(join(world.root, 'stranger'), '')
            writeFileSync(to, 'of a stranger')
          }
          return undefined
        },
      })
      const id = await world.drop('a.pdf', samplePdf('a'))
      world.pipeline.start()
      await expect.poll(async () => (await world.row(id)).status, { interval: 10 }).toBe('Completed')
      await world.pipeline.stop()
      expect(world.read('output', 'a.signed.pdf').toString()).toBe('of a stranger')
      expect(world.list('input')).toEqual(['a.pdf'])
      unlinkSync(join(world.root, 'output', 'a.signed.pdf'))
      await world.recover()
      expect(world.read('output', 'a.signed.pdf').subarray(0, 4).toString()).toBe('%PDF')
      expect(await world.row(id)).toMatchObject({ status: 'Completed', input_disposal: 'deleted' })
      expect(world.list('processing')).toEqual([])
    })

    it.each(['renameNewSync', 'remove', 'unlinkSync'] as const)(
      'leaves it to recovery when a completed job cannot be cleared up: %s',
      async (broken) => {
        let fails = true
        const world = await pipelineWorld(open, {
          settings: { Pipeline: { InMemoryBytes: 65_536 } },
          faults: ({ operation }) => (fails && operation === broken ? { errno: 'EIO' } : undefined),
        })
        const id = await world.drop('a.bin', Buffer.alloc(100_000))
        world.pipeline.start()
        await expect.poll(async () => (await world.row(id)).status).toBe('Completed')
        await world.pipeline.stop()
        fails = false
        await world.recover()
        await world.recover()
        expect(world.list('output')).toEqual(['a.bin.p7m'])
        expect(world.list('processing')).toEqual([])
      },
    )

    it('ends what is in flight when it stops, and picks up no more', async () => {
      const world = await pipelineWorld(open, { settings: { Pipeline: { MaxConcurrency: 2 } } })
      const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => world.drop(`${n}.pdf`, samplePdf(`${n}`))))
      world.pipeline.start()
      await expect
        .poll(() => world.pipeline.inFlight(), { interval: 1 })
        .toEqual({ pades: 2, cades: 0, xades: 0, total: 2 })
      await world.pipeline.stop()
      expect(world.pipeline.inFlight().total).toBe(0)
      const states = await Promise.all(ids.map(async (id) => (await world.row(id)).status))
      expect(states.every((state) => state === 'Queued' || state === 'Completed')).toBe(true)
      expect(states).toContain('Queued')
    })

    it('checks a CNAB240 remittance before the key and keeps its figures and payments', async () => {
      const payments: unknown[] = []
      let readPayments = async () => {}
      const world = await pipelineWorld(open, {
        profiles: {
          bank: { checkCnab240: true },
          undated: { checkCnab240: true, checkCnab240PaymentDates: false },
        },
        wrapProfiles: withPlans((plan) => ({
          sign: async (...given) => {
            await readPayments()
            return plan.sign(...given)
          },
        })),
      })
      readPayments = async () => {
        const rows = await world.store.db.selectFrom('job_payments').select('payments').execute()
        payments.push(...rows.flatMap((row) => JSON.parse(row.payments)))
      }
      const due = (paymentDate: string) => buildRemittance({ payments: [{ amountCentavos: 12_345, paymentDate }] })
      const good = await world.drop('good.rem', due('2090-01-15'), { profileName: 'bank' })
      const bad = await world.drop('bad.rem', 'no remittance', { profileName: 'bank' })
      const late = await world.drop('late.rem', due('2020-01-15'), { profileName: 'bank' })
      const unchecked = await world.drop('unchecked.rem', due('2020-01-15'), { profileName: 'undated' })
      world.pipeline.start()

      const row = await world.ended(good)
      expect(row.status).toBe('Completed')
      expect(JSON.parse(row.cnab240!)).toMatchObject({ totalCentavos: 12_345, paymentCount: 1 })
      expect(payments).toContainEqual(expect.objectContaining({ amountCentavos: 12_345, paymentDate: '2090-01-15' }))

      expect(await world.ended(bad)).toMatchObject({
        status: 'Failed',
        error_code: 'cnab240.invalid',
        reached_key_at: null,
      })
      expect((await world.history(bad)).length).toBeGreaterThan(3)
      expect(world.has('error', bad, 'bad.rem')).toBe(true)
      expect(await world.ended(late)).toMatchObject({ status: 'Failed', error_code: 'cnab240.payment-date-passed' })
      expect(await world.ended(unchecked)).toMatchObject({ status: 'Completed' })
      expect((await world.eventTypes()).sort()).toEqual([
        'Cnab240PaymentDateCheckSkipped',
        'Cnab240PaymentDatePassed',
        'Cnab240ValidationFailed',
      ])
      expect(await world.metric('bulk_cnab240_payment_date_checks_skipped_total{profile="undated"}')).toBe(1)
    })

    it('counts jobs in the metrics of the specification', async () => {
      const world = await pipelineWorld(open)
      const ids = [
        await world.drop('a.pdf', samplePdf('a')),
        await world.drop('b.pdf', samplePdf('b'), { source: 'Upload', inputFolder: null }),
        await world.drop('c.pdf', 'no PDF'),
      ]
      expect(await world.metric('bulk_jobs_in_flight')).toBe(0)
      world.pipeline.start()
      for (const id of ids) await world.ended(id)
      expect(await world.metric('bulk_jobs_enqueued_total{folder="default"}')).toBe(2)
      expect(await world.metric('bulk_jobs_enqueued_total{folder="(upload)"}')).toBe(1)
      expect(await world.metric('bulk_jobs_completed_total')).toBe(2)
      expect(await world.metric('bulk_jobs_failed_total')).toBe(1)
      expect(await world.metric('bulk_signing_duration_seconds_count{format="Pades"}')).toBe(2)
      expect(await world.metric('bulk_signing_duration_seconds_count{format="Cades"}')).toBe(0)
      expect(await world.metric('bulk_approver_signatures_total{outcome="signed",means="cloud"}')).toBe(0)
    })
  })

it('pauses itself while the database has no room, fails no job by it, and goes on by itself', async () => {
  const world = await pipelineWorld(testStores.SQLite)
  const names = Array.from({ length: 48 }, (_, n) => `${n}.txt`)
  const ids = await Promise.all(names.map((one) => world.drop(one, one)))
  const { db } = world.store
  // No further page: the histories of so many jobs need several.
  await sql`pragma max_page_count = 1`.execute(db)
  world.pipeline.start()
  await expect.poll(() => world.pipeline.waitsForStorage(), { interval: 1 }).toBeDefined()
  await sql`pragma max_page_count = 4294967294`.execute(db)
  for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
  await expect.poll(async () => (await world.eventTypes()).at(0)).toBe('StorageResumed')
  expect((await world.eventTypes()).at(-1)).toBe('StoragePaused')
})
