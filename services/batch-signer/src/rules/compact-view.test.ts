import { describe, expect, test } from 'vitest'
import { compactSources, compactStatuses } from '../contract/compact.ts'
import {
  type CompactRow,
  compactEvents,
  compactJob,
  compactSource,
  compactStatus,
  rejectionCodes,
  sourcesOf,
  statusesOf,
} from './compact-view.ts'
import { jobSources, jobStatuses } from './job.ts'

const row: CompactRow = {
  id: 'f3b1d3ab-6c8e-4f0a-9a53-0f2b7f1f2a11',
  file_name: 'Nota.pdf',
  status: 'Completed',
  source: 'Upload',
  input_folder: null,
  format: 'Pades',
  profile_name: 'default',
  encryption_requested: null,
  output_encrypted: 0,
  external_reference: 'order 7',
  parent_job_id: null,
  created_at: '2026-03-02T12:00:00.000Z',
  updated_at: '2026-03-02T12:00:02.000Z',
  started_at: '2026-03-02T12:00:01.000Z',
  finished_at: '2026-03-02T12:00:02.000Z',
  signing_ms: 10,
  verification_ms: 4,
  output_ms: 3,
  output_name: 'Nota.signed.pdf',
  error_code: null,
  error_message: null,
  error_reason: null,
}

const never = () => false

describe('the compact view of a job', () => {
  test('has a name for every state and every source, and the way back covers each once', () => {
    const back = compactStatuses.filter((status) => status !== 'Rejected').flatMap(statusesOf)
    expect(back.sort()).toStrictEqual([...jobStatuses].sort())
    expect(compactSources.flatMap(sourcesOf).sort()).toStrictEqual([...jobSources].sort())
    for (const status of jobStatuses) expect(statusesOf(compactStatus(status, null))).toContain(status)
    for (const source of jobSources) expect(sourcesOf(compactSource({ source, input_folder: 'a' }))).toContain(source)
  })

  test('calls a file that failed validation Rejected, and nothing else', () => {
    for (const code of rejectionCodes) expect(compactStatus('Failed', code)).toBe('Rejected')
    expect(compactStatus('Failed', 'job.signing-failed')).toBe('Failed')
    expect(compactStatus('Canceled', 'cnab240.invalid')).toBe('Canceled')
  })

  test('tells what a completed job became', () => {
    expect(compactJob(row, never, 'en-US')).toStrictEqual({
      id: row.id,
      fileName: 'Nota.pdf',
      status: 'Completed',
      source: 'RestApi',
      signatureFormat: 'Pades',
      encryptionEnabled: false,
      externalReference: 'order 7',
      originalJobId: null,
      createdAtUtc: row.created_at,
      updatedAtUtc: row.updated_at,
      startedAtUtc: row.started_at,
      completedAtUtc: row.finished_at,
      processingMs: 17,
      outputFileName: 'Nota.signed.pdf',
      errorCode: null,
      errorMessage: null,
    })
  })

  test('tells of no output and no duration before the job is Completed', () => {
    const verifying = { ...row, status: 'Verifying', finished_at: null } as const
    expect(compactJob(verifying, never, 'en-US')).toMatchObject({ outputFileName: null, processingMs: null })
  })

  test('says whether the output is encrypted, or before that whether it will be', () => {
    const queued = { ...row, status: 'Queued' } as const
    const encryption = (one: CompactRow, byDefault: boolean) =>
      compactJob(one, () => byDefault, 'en-US').encryptionEnabled
    expect(encryption(queued, true)).toBe(true)
    expect(encryption({ ...queued, encryption_requested: 0 }, true)).toBe(false)
    expect(encryption({ ...queued, encryption_requested: 1 }, false)).toBe(true)
    expect(encryption({ ...row, output_encrypted: 1 }, false)).toBe(true)
    expect(encryption(row, true)).toBe(false)
  })

  test('orders events by their time, and those of one instant as they were written', () => {
    const event = { job_id: row.id, code: null, message: '', told: null }
    const events = compactEvents(
      [
        { ...event, id: 3, at: '2026-03-02T12:00:01.000Z', status: 'Processing' },
        { ...event, id: 9, at: '2026-03-02T12:00:00.000Z', status: 'Queued' },
        { ...event, id: 2, at: '2026-03-02T12:00:01.000Z', status: 'Verifying' },
      ],
      'en-US',
    )
    expect(events.map(({ id }) => id)).toStrictEqual([9, 2, 3])
  })
})
