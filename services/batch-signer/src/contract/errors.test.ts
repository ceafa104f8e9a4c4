// A code is never renamed (spec 2, Errors): clients dispatch on it. A change here is a change of the contract.
import { expect, test } from 'vitest'
import { errors, recordedCodes, shownCodes } from './errors.ts'

/** The specification's codes, and the first status each has; those without one are on jobs or on an approver's screen. */
const specified: Readonly<Record<string, number | undefined>> = {
  'job.not-found': 404,
  'job.not-queued': 409,
  'job.race-lost': 409,
  'job.not-failed': 409,
  'job.rejected-not-retriable': 409,
  'job.input-missing': 409,
  'job.output-unavailable': 409,
  'job.output-gone': 410,
  'job.archive-empty': 400,
  'job.archive-too-large': 400,
  'job.already-processing': 409,
  'file.already-processed': 409,
  'job.path-too-long': 400,
  'job.input-held': undefined,
  'job.input-diverged': undefined,
  'upload.disabled': 409,
  'upload.empty': 400,
  'upload.too-large': 413,
  'upload.invalid-name': 400,
  'upload.format-unsupported': 400,
  'validation.reason-too-long': 400,
  'validation.filter-invalid': 400,
  'auth.misconfigured': 401,
  'auth.invalid-credentials': 401,
  'folder.not-found': 404,
  'profile.not-found': 404,
  'profile.disabled': 409,
  'profile.degraded': undefined,
  'profile.key-unavailable': undefined,
  'profile.takes-no-files': 409,
  'pipeline.race-lost': 409,
  'cnab240.invalid': undefined,
  'cnab240.payment-date-passed': undefined,
  'approval.not-required': 404,
  'approval.not-pending': 409,
  'approval.unknown-approver': 403,
  'approval.already-decided': 409,
  'approval.unknown-decision': 400,
  'approval.signature-required': 403,
  'approval.job-incomplete': 500,
  'approval.rejected': undefined,
  'approval.content-changed': undefined,
  'approval.content-unmeasured': undefined,
  'approval.signer-set-unsupported': undefined,
  'approval.signatures-missing': undefined,
  'approval.certificate-invalid': undefined,
  'approval.certificate-without-cpf': undefined,
  'approval.certificate-cpf-mismatch': undefined,
  'approval.signature-invalid': undefined,
  'approval.signature-conflict': undefined,
  'approval.second-factor-required': 403,
  'approval.second-factor-invalid-code': undefined,
  'approval.second-factor-locked-out': undefined,
  'backup.disabled': 409,
  'backup.already-running': 409,
  'backup.not-running': 409,
  'branding.customer-logo-not-available': 404,
  'culture.not-supported': 400,
  'rate-limited': 429,
  internal: 500,
}

/** Codes of our own; published, so that they keep their names and statuses just the same. */
const own: Readonly<Record<string, number | undefined>> = {
  'job.in-flight': 409,
  'upload.extension-unsupported': 400,
  'folder.invalid': 400,
  'session.not-found': 404,
  'folder.already-exists': 409,
  'folder.changed-meanwhile': 409,
  'folder.in-settings': 409,
  'folder.input-unavailable': undefined,
  'folder.output-unavailable': undefined,
  'profile.invalid': 400,
  'profile.already-exists': 409,
  'profile.changed-meanwhile': 409,
  'profile.timestamp-unavailable': undefined,
  'approval.second-factor-not-enrolled': 409,
  'approval.second-factor-already-enrolled': 409,
  'approval.second-factor-enrolment-expired': 409,
  'approval.signing-not-found': 404,
  'approval.cloud-unavailable': 503,
  'approval.tokens-unavailable': 503,
  'request.invalid': 400,
  'request.too-large': 413,
  'request.unknown-route': 404,
  'service.busy': 503,
  'job.input-unstable': undefined,
  'job.interrupted': undefined,
  'job.signing-failed': undefined,
  'job.verification-failed': undefined,
  'job.encryption-failed': undefined,
  'job.output-exists': undefined,
  'job.storage-failed': undefined,
  'job.certificate-invalid': undefined,
}

test('every code has the name and the status that clients know', () => {
  const statuses: Readonly<Record<string, { readonly status: number }>> = errors
  const published = [...new Set([...Object.keys(errors), ...Object.keys(recordedCodes), ...shownCodes])]
  expect(Object.fromEntries(published.map((code) => [code, statuses[code]?.status]))).toEqual({ ...specified, ...own })
})

test('what the specification only records or shows is never an answer', () => {
  const recorded = Object.keys(specified).filter((code) => specified[code] === undefined)
  const known: readonly string[] = [...Object.keys(recordedCodes), ...shownCodes]
  expect(recorded.filter((code) => code in errors)).toEqual([])
  expect(recorded.filter((code) => !known.includes(code))).toEqual([])
})
