import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, it, vi } from 'vitest'
import type { ApprovalRule } from '../src/rules/approval-rule.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { pipelineWorld, type WorldOptions } from '../src/workers/test-support/pipeline-world.ts'

const ANA = { name: 'Ana Souza', email: 'ana@hospital.example', cpf: '52998224725' }
const BRUNO = { name: 'Bruno Lima', email: 'bruno@hospital.example', cpf: '11144477735' }
const CARLA = { name: 'Carla Dias', email: 'carla@hospital.example', cpf: '39053344705' }

const rule = (more: Partial<ApprovalRule> = {}): ApprovalRule => ({
  minimumApprovers: 2,
  expiresAfterSeconds: null,
  signers: 'ProfileKey',
  approvers: [ANA, BRUNO, CARLA],
  ...more,
})

const PDF = samplePdf('A contract')
const SHA256 = createHash('sha256').update(PDF).digest('hex')

type World = Awaited<ReturnType<typeof pipelineWorld>>

for (const [name, openStore] of Object.entries(testStores))
  describe(`approvals on ${name}`, () => {
    const open = storesOf(openStore)

    const start = async (approval: ApprovalRule = rule(), options: WorldOptions = {}): Promise<World> => {
      const world = await pipelineWorld(open, { profiles: { default: { approval } }, ...options })
      world.pipeline.start()
      world.waits.start()
      return world
    }

    const said = (world: World, jobId: string, { email }: { email: string }, decision?: string, reason?: string) =>
      world.decide({
        jobId,
        approver: { email, method: 'SelfDeclaredEmail', ipAddress: '192.0.2.7', userAgent: 'a browser' },
        decision,
        reason,
      })

    const status = async (world: World, id: string) => (await world.row(id)).status

    async function parked(world: World, fileName = 'a.pdf', bytes: Uint8Array = PDF): Promise<string> {
      const id = await world.drop(fileName, bytes)
      await expect.poll(() => status(world, id), { interval: 10 }).toBe('AwaitingApproval')
      return id
    }

    it('parks a job with the rule and the content frozen, keeps a copy, and needs no worker meanwhile', async () => {
      const world = await start()
      const id = await parked(world)
      expect(await world.row(id)).toMatchObject({ owner: null, content_sha256: SHA256, reached_key_at: null })
      expect(world.read('processing', id, 'a.pdf')).toEqual(Buffer.from(PDF))
      expect(world.list('input')).toEqual(['a.pdf'])
      expect(world.list('output')).toEqual([])
      expect(world.pipeline.inFlight().total).toBe(0)
      expect((await world.history(id)).at(-1)).toMatchObject({
        status: 'AwaitingApproval',
        message: `Waits for approval: 2 of 3 approvers. ${PDF.length} bytes, SHA-256 ${SHA256}.`,
      })
      expect(await world.metric('bulk_jobs_parked_for_approval_total{profile="default"}')).toBe(1)
      expect(await world.metric('bulk_jobs_awaiting_approval')).toBe(1)
    })

    it('a quorum releases it: the approved bytes are signed and the input is removed', async () => {
      const world = await start()
      const id = await parked(world)
      expect(await said(world, id, ANA)).toEqual({
        jobId: id,
        approverName: ANA.name,
        approved: 1,
        required: 2,
        outstanding: 1,
        quorumMet: false,
        released: false,
      })
      expect(await status(world, id)).toBe('AwaitingApproval')
      expect(await said(world, id, { email: ' BRUNO@Hospital.Example ' })).toMatchObject({
        approved: 2,
        outstanding: 0,
        quorumMet: true,
        released: true,
      })
      expect(await world.ended(id)).toMatchObject({ status: 'Completed', content_sha256: SHA256 })
      expect(world.list('output')).toEqual(['a.signed.pdf'])
      expect(world.read('output', 'a.signed.pdf').subarray(0, PDF.length)).toEqual(Buffer.from(PDF))
      expect([world.list('input'), world.list('processing')]).toEqual([[], []])
      expect(await world.eventTypes()).toEqual(['ApprovalRecorded', 'ApprovalRecorded'])
      expect(await world.metric('bulk_jobs_released_by_approval_total{profile="default"}')).toBe(1)
      expect(await world.metric('bulk_approvals_recorded_total{profile="default"}')).toBe(2)
    })

    it('a decision that moves no job is told to open pages at once', async () => {
      const world = await start()
      const id = await parked(world)
      const told: string[] = []
      world.live.listen(({ topics }) => told.push(...topics))
      await said(world, id, ANA)
      expect([await status(world, id), told]).toEqual(['AwaitingApproval', ['jobs']])
    })

    it('a file larger than what is held in memory is kept on disk and signed from there', async () => {
      const world = await start(rule({ minimumApprovers: 1 }), { settings: { Pipeline: { InMemoryBytes: 65_536 } } })
      const large = Buffer.alloc(200_000, 'r')
      const id = await parked(world, 'a.rem', large)
      expect(world.read('processing', id, 'a.rem')).toEqual(large)
      await said(world, id, CARLA)
      expect(await world.ended(id)).toMatchObject({ status: 'Completed' })
      expect([world.list('output'), world.list('processing')]).toEqual([['a.rem.p7m'], []])
    })

    it('what is approved is what was there: an input rewritten meanwhile stays, and is not signed by it', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      writeFileSync(join(world.root, 'input', 'a.pdf'), samplePdf('Another contract'))
      await said(world, id, ANA)
      expect(await world.ended(id)).toMatchObject({ status: 'Completed', input_disposal: 'diverged' })
      expect(world.read('output', 'a.signed.pdf').subarray(0, PDF.length)).toEqual(Buffer.from(PDF))
      expect(world.list('input')).toEqual(['a.pdf'])
      expect(world.handedBack).toHaveLength(1)
    })

    it('a copy that changed since is not signed: approval.content-changed', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      writeFileSync(join(world.root, 'processing', id, 'a.pdf'), samplePdf('Another contract'))
      await said(world, id, ANA)
      expect(await world.ended(id)).toMatchObject({ status: 'Failed', error_code: 'approval.content-changed' })
      expect([world.list('output'), world.list('input')]).toEqual([[], ['a.pdf']])
      expect(world.list('error')).toEqual([id])
      expect(await world.metric('bulk_jobs_content_changed_total{profile="default"}')).toBe(1)
    })

    it('a released job of which no hash was kept is not signed: approval.content-unmeasured', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      await world.pipeline.stop()
      await said(world, id, ANA)
      await world.store.db.updateTable('job_approval').set({ content_sha256: null }).execute()
      world.pipeline.start()
      expect(await world.ended(id)).toMatchObject({ status: 'Failed', error_code: 'approval.content-unmeasured' })
      expect([world.list('output'), world.list('input')]).toEqual([[], ['a.pdf']])
    })

    it('a copy that is gone fails the job, and nothing is signed', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      rmSync(join(world.root, 'processing', id), { recursive: true })
      await said(world, id, ANA)
      expect(await world.ended(id)).toMatchObject({ status: 'Failed', error_code: 'job.storage-failed' })
      expect([world.list('output'), world.list('input')]).toEqual([[], ['a.pdf']])
    })

    it('one rejection ends it, whatever the quorum, and the file comes back as .reject, not signed', async () => {
      const world = await start()
      const id = await parked(world)
      await said(world, id, ANA)
      expect(await said(world, id, BRUNO, 'Rejected', ' twice the amount ')).toEqual({
        jobId: id,
        approverName: BRUNO.name,
        reason: 'twice the amount',
        terminated: true,
      })
      expect(await world.ended(id)).toMatchObject({ status: 'Canceled', input_disposal: 'deleted' })
      expect(world.list('output')).toEqual(['a.reject.pdf'])
      expect(world.read('output', 'a.reject.pdf')).toEqual(Buffer.from(PDF))
      expect([world.list('input'), world.list('processing'), world.list('error')]).toEqual([[], [], []])
      expect((await world.eventTypes()).sort()).toEqual([
        'ApprovalRecorded',
        'ApprovalRejected',
        'RejectedFileHandedBack',
      ])
      expect(await world.metric('bulk_approvals_rejected_total{profile="default"}')).toBe(1)
      await expect(said(world, id, CARLA)).rejects.toMatchObject({ code: 'approval.not-pending' })
    })

    it('a rejected file whose name is taken goes to error/, and the input stays', async () => {
      const world = await start()
      const id = await parked(world)
      writeFileSync(join(world.root, 'output', 'a.reject.pdf'), 'of somebody else')
      await said(world, id, BRUNO, 'rejected')
      expect(await world.ended(id)).toMatchObject({ status: 'Canceled', input_disposal: 'none', active_path: null })
      expect(world.read('output', 'a.reject.pdf').toString()).toBe('of somebody else')
      expect(world.read('error', id, 'a.pdf')).toEqual(Buffer.from(PDF))
      expect([world.list('input'), world.list('processing')]).toEqual([['a.pdf'], []])
      expect(await world.eventTypes()).toContain('RejectionHandbackFailed')
    })

    it('a rejected copy that is not what was rejected is not handed back, and the input stays', async () => {
      const world = await start()
      const [altered, gone] = [await parked(world), await parked(world, 'b.pdf')]
      writeFileSync(join(world.root, 'processing', altered, 'a.pdf'), 'altered')
      rmSync(join(world.root, 'processing', gone, 'b.pdf'))
      for (const id of [altered, gone]) {
        await said(world, id, BRUNO, 'rejected')
        expect(await world.ended(id)).toMatchObject({ status: 'Canceled', input_disposal: 'none' })
      }
      expect([world.list('output'), world.list('input')]).toEqual([[], ['a.pdf', 'b.pdf']])
    })

    it.each(['write', 'promote', 'dispose'] as const)(
      'a hand-back that fails at %s is finished later, once',
      async (at) => {
        const faults = { isOn: false }
        const world = await start(rule(), {
          faults: ({ operation, path }) => (faults.isOn && isStep(at, operation, path) ? { errno: 'EIO' } : undefined),
        })
        const id = await parked(world)
        faults.isOn = true
        await said(world, id, CARLA, 'rejected')
        await vi.waitUntil(() => !world.waits.isBusy(id))
        expect(await world.row(id)).toMatchObject({ status: 'Canceled', input_disposal: 'pending' })
        faults.isOn = false
        await world.recover()
        expect(await world.ended(id)).toMatchObject({ status: 'Canceled', input_disposal: 'deleted' })
        expect(world.read('output', 'a.reject.pdf')).toEqual(Buffer.from(PDF))
        expect([world.list('input'), world.list('processing')]).toEqual([[], []])
        expect((await world.eventTypes()).filter((type) => type === 'RejectedFileHandedBack')).toHaveLength(1)
      },
    )

    it('a rejection while a worker has the job is found before the key is used: approval.rejected', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      await world.pipeline.stop()
      await said(world, id, ANA)
      const [claimed] = await world.context.ledger.claim(1, new Date())
      expect(claimed!.id).toBe(id)
      expect(await said(world, id, BRUNO, 'rejected')).toMatchObject({ terminated: false })
      const change = { sha256: SHA256, length: PDF.length, outputName: 'a.signed.pdf' }
      expect(await world.context.ledger.reachedKey(id, change, new Date())).toBe(false)
      await expect(said(world, id, CARLA, 'rejected')).rejects.toMatchObject({ code: 'approval.not-pending' })
    })

    it('a rejection of a released job that waits in the queue cancels it', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const id = await parked(world)
      await world.pipeline.stop()
      await said(world, id, ANA)
      expect(await status(world, id)).toBe('Queued')
      await expect(said(world, id, BRUNO)).rejects.toMatchObject({ code: 'approval.not-pending' })
      await expect(said(world, id, ANA, 'rejected')).rejects.toMatchObject({ code: 'approval.already-decided' })
      expect(await said(world, id, BRUNO, 'rejected')).toMatchObject({ terminated: true })
      expect(await world.ended(id)).toMatchObject({ status: 'Canceled' })
      expect(world.list('output')).toEqual(['a.reject.pdf'])
    })

    it('of all approvers at the same instant exactly the quorum releases, once', async () => {
      const world = await start()
      const id = await parked(world)
      await world.pipeline.stop()
      const answers = await Promise.allSettled([ANA, BRUNO, CARLA].map((one) => said(world, id, one)))
      const released = answers.filter(
        (one) => one.status === 'fulfilled' && 'released' in one.value && one.value.released,
      )
      expect(released).toHaveLength(1)
      const decisions = await world.store.db.selectFrom('approval_decision').selectAll().execute()
      expect(decisions).toHaveLength(2)
      expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    })

    it('of one person deciding twice at the same instant one decision counts', async () => {
      const world = await start()
      const id = await parked(world)
      const answers = await Promise.allSettled([
        said(world, id, ANA),
        said(world, id, { email: 'ANA@HOSPITAL.EXAMPLE' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await said(world, id, BRUNO)).toMatchObject({ approved: 2, released: true })
    })

    it('a wait that is over is canceled by the wall clock, while paused too, and keeps what was decided', async () => {
      const offset = { ms: 0 }
      const clock = () => new Date(Date.now() + offset.ms)
      const world = await start(rule({ expiresAfterSeconds: 3600 }), { clock })
      const id = await parked(world)
      await said(world, id, ANA)
      await world.store.db.updateTable('pipeline_state').set({ paused: 1 }).execute()
      offset.ms = 3_599_000
      await world.waits.expireNow()
      expect(await status(world, id)).toBe('AwaitingApproval')
      offset.ms = 3_601_000
      await expect(said(world, id, BRUNO)).rejects.toMatchObject({ code: 'approval.not-pending' })
      await world.waits.expireNow()
      expect(await world.row(id)).toMatchObject({ status: 'Canceled', active_path: null })
      expect((await world.history(id)).at(-1)!.message).toMatch(/^The approval window expired at /)
      expect(await world.eventTypes()).toEqual(['ApprovalExpired', 'ApprovalRecorded'])
      expect(world.read('error', id, 'a.pdf')).toEqual(Buffer.from(PDF))
      expect([world.list('input'), world.list('processing')]).toEqual([['a.pdf'], []])
      expect(await world.metric('bulk_approvals_expired_total{profile="default"}')).toBe(1)
      expect(await world.store.db.selectFrom('approval_decision').selectAll().execute()).toHaveLength(1)
    })

    it('a rule edited after parking changes nothing of what waits', async () => {
      const approval = { ...rule({ minimumApprovers: 1 }) }
      const world = await start(approval)
      const id = await parked(world)
      Object.assign(approval, { approvers: [BRUNO], minimumApprovers: 1 })
      expect(await said(world, id, CARLA)).toMatchObject({ released: true })
    })

    it('refuses in the order of the specification, and records nothing by it', async () => {
      const world = await start()
      const id = await parked(world)
      const refused = (email: string, decision?: string, jobId = id) =>
        said(world, jobId, { email }, decision).then(
          () => 'taken',
          ({ code }: { code: string }) => code,
        )
      expect(await refused(ANA.email, 'maybe', '00000000-0000-4000-8000-000000000000')).toBe('job.not-found')
      expect(await refused('eve@hospital.example', 'maybe')).toBe('approval.unknown-approver')
      expect(await refused('no address', 'approved')).toBe('approval.unknown-approver')
      expect(await refused(ANA.email, 'maybe')).toBe('approval.unknown-decision')
      await said(world, id, ANA)
      expect(await refused(ANA.email, 'maybe')).toBe('approval.unknown-decision')
      expect(await refused(ANA.email, 'rejected')).toBe('approval.already-decided')
      await world.store.db.updateTable('job_approval').set({ content_sha256: null }).execute()
      expect(await refused('eve@hospital.example')).toBe('approval.job-incomplete')
      expect(await world.store.db.selectFrom('approval_decision').selectAll().execute()).toHaveLength(1)
    })

    it('a job whose approvers sign is not approved by a word, but rejected by one', async () => {
      const world = await start(rule({ signers: 'Approvers' }))
      const id = await parked(world, 'a.rem')
      await expect(said(world, id, ANA)).rejects.toMatchObject({ code: 'approval.signature-required' })
      expect(await said(world, id, ANA, 'rejected')).toMatchObject({ terminated: true })
      await world.ended(id)
    })

    it('parked jobs are untouched by a restart; a released one that was in flight fails and keeps its copy', async () => {
      const world = await start(rule({ minimumApprovers: 1 }))
      const [waiting, released] = [await parked(world), await parked(world, 'b.pdf')]
      await world.pipeline.stop()
      await said(world, released, ANA)
      await world.context.ledger.claim(1, new Date())
      await world.recover()
      expect(await status(world, waiting)).toBe('AwaitingApproval')
      expect(world.read('processing', waiting, 'a.pdf')).toEqual(Buffer.from(PDF))
      expect(await world.row(released)).toMatchObject({ status: 'Failed', error_code: 'job.interrupted' })
      expect(world.read('error', released, 'b.pdf')).toEqual(Buffer.from(PDF))
      expect(readdirSync(join(world.root, 'input')).sort()).toEqual(['a.pdf', 'b.pdf'])
    })
  })

/** Which call of the file system a step of the hand-back is. */
function isStep(at: 'write' | 'promote' | 'dispose', operation: string, path: string): boolean {
  if (at === 'write') return operation === 'rename' && path.includes('processing')
  if (at === 'promote') return operation === 'renameNewSync' || operation === 'renameSync'
  return operation === 'unlinkSync'
}
