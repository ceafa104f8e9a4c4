// The complete service, end to end: what no single part can guarantee.
import { demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance, samplePdf } from '@chancela/testkit/samples'
import { modificationRules, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const [ana, bruno] = demoHolders

/** Every metric of the specification, with its type. */
const specified = {
  counter: [
    'bulk_jobs_enqueued_total',
    'bulk_jobs_completed_total',
    'bulk_jobs_failed_total',
    'bulk_jobs_canceled_total',
    'bulk_jobs_verify_skipped_total',
    'bulk_cert_validation_failed_total',
    'bulk_pipeline_pause_total',
    'bulk_pipeline_resume_total',
    'bulk_files_encrypted_total',
    'bulk_jobs_dispatched_to_signer_total',
    'bulk_signer_api_errors_total',
    'bulk_signer_folder_jobs_enqueued_total',
    'bulk_signer_folder_signatures_total',
    'bulk_signer_folder_sweep_errors_total',
    'bulk_signer_notifications_total',
    'bulk_jobs_parked_for_approval_total',
    'bulk_approvals_recorded_total',
    'bulk_approvals_rejected_total',
    'bulk_jobs_released_by_approval_total',
    'bulk_approvals_expired_total',
    'bulk_jobs_content_changed_total',
    'bulk_inputs_diverged_total',
    'bulk_cnab240_payment_date_checks_skipped_total',
    'bulk_approver_signatures_total',
    'bulk_second_factor_verifications_total',
    'bulk_second_factor_enrolments_total',
    'bulk_backup_runs_total',
    'bulk_backup_prune_failures_total',
    'bulk_log_sink_outages_total',
    'bulk_log_sink_dropped_total',
  ],
  gauge: [
    'bulk_pipeline_paused',
    'bulk_jobs_in_flight',
    'bulk_jobs_awaiting_signer',
    'bulk_jobs_awaiting_approval',
    'bulk_backup_last_size_bytes',
    'bulk_backup_last_success_timestamp_seconds',
  ],
  histogram: ['bulk_signing_duration_seconds', 'bulk_signer_poll_duration_seconds', 'bulk_backup_duration_seconds'],
} as const

for (const database of databases) {
  describe(`the batch signer on ${database}`, () => {
    test('exports every metric of the specification under its exact name, and counts what it does', async () => {
      const service = await startBatchSigner({ database, profiles: [encrypting] })
      const completed = await upload(service, 'a.bin', Buffer.from('to be signed'))
      await expect.poll(() => statusOf(service, completed)).toBe('Completed')
      await service.full.call('POST', '/api/pipeline/pause')
      const canceled = await upload(service, 'b.bin', Buffer.from('never signed'))
      expect((await service.full.json('POST', `/api/jobs/${canceled}/cancel`)).status).toBe(200)

      const text = await (await service.full.call('GET', '/api/metrics')).text()
      for (const [type, names] of Object.entries(specified))
        for (const metric of names) expect(text).toContain(`# TYPE ${metric} ${type}\n`)
      for (const line of [
        'bulk_jobs_enqueued_total{folder="(upload)"} 2',
        'bulk_jobs_completed_total 1',
        'bulk_jobs_canceled_total 1',
        'bulk_files_encrypted_total 1',
        'bulk_signing_duration_seconds_count{format="Cades"} 1',
        'bulk_pipeline_pause_total 1',
        'bulk_pipeline_paused 1',
      ])
        expect(text).toContain(`${line}\n`)
    })

    test('names its readiness checks as the specification does', async () => {
      const broken = {
        ...profileOf(bruno!.label, { Name: 'broken', Format: 'Cades' }),
        Pkcs12Password: 'not the password',
      }
      const service = await startBatchSigner({ database, profiles: [signing, broken], inputs: ['default', 'spare'] })
      const { status, body } = await service.full.json('GET', '/api/ready')
      expect(status).toBe(200)
      expect(body).toEqual({
        ready: true,
        checks: expect.arrayContaining([
          { name: 'database', ok: true },
          named('input-folder:', 'default', true),
          named('input-folder:', 'spare', true),
          named('signing-profile:', 'broken', false),
        ]),
      })
    })

    test('the first signature of a PDF has the rule the official validator looks for, a later one has none', async () => {
      const checked = profileOf(ana!.label, { Name: 'default', InputFolder: 'default', Format: 'Pades' })
      const quick = profileOf(bruno!.label, { Name: 'quick', Format: 'Pades', Verify: false })
      const service = await startBatchSigner({ database, profiles: [checked, quick] })
      const first = await signed(service, 'a.pdf', samplePdf('Contrato'), '?profile=quick')
      expect(await modificationRules(first)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE] })
      const twice = await signed(service, 'b.pdf', await signed(service, 'c.pdf', samplePdf('Recibo')))
      expect(await modificationRules(twice)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE, null] })
    })

    test('signs a remittance whose date has passed only where CheckCnab240PaymentDates is off', async () => {
      const remittances = { InputFolder: 'default', Format: 'Cades', CheckCnab240: true }
      const strict = profileOf(ana!.label, { Name: 'default', ...remittances })
      const lenient = profileOf(ana!.label, {
        Name: 'lenient',
        Format: 'Cades',
        CheckCnab240: true,
        CheckCnab240PaymentDates: false,
      })
      const service = await startBatchSigner({ database, profiles: [strict, lenient] })
      const late = buildRemittance({ payments: [{ amountCentavos: 100, paymentDate: '2020-01-02' }] })
      const refused = await upload(service, 'late.rem', late)
      const signed = await upload(service, 'late-too.rem', late, '?profile=lenient')
      await expect.poll(() => statusOf(service, refused)).toBe('Failed')
      await expect.poll(() => statusOf(service, signed)).toBe('Completed')
      const { body } = await service.full.json('GET', `/api/jobs/${refused}`)
      expect(body).toMatchObject({ errorCode: 'cnab240.payment-date-passed' })
    })
  })
}

const named = (kind: string, name: string, ok: boolean) => ({ name: `${kind}${name}`, ok })

const signing = profileOf(ana!.label, { Name: 'default', InputFolder: 'default' })
const encrypting = { ...signing, Format: 'Cades', EncryptionCertificateFiles: [`${bruno!.label}.pem`] }

async function upload(service: RunningBatchSigner, fileName: string, content: Buffer, query = ''): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), fileName)
  const { status, body } = await service.full.json('POST', `/api/files${query}`, { body: form })
  expect(status).toBe(202)
  return (body as { jobId: string }).jobId
}

/** The output of a file that was sent. */
async function signed(service: RunningBatchSigner, fileName: string, content: Buffer, query = ''): Promise<Buffer> {
  const id = await upload(service, fileName, content, query)
  await expect.poll(() => statusOf(service, id)).toBe('Completed')
  return Buffer.from(await (await service.full.call('GET', `/api/jobs/${id}/output`)).arrayBuffer())
}

const statusOf = async (service: RunningBatchSigner, id: string): Promise<string> =>
  ((await service.full.json('GET', `/api/jobs/${id}`)).body as { status: string }).status
