/** One entry of the vocabulary: the status it answers with, and the title clients show. */
interface ErrorEntry {
  readonly status: number
  readonly message: string
}

/**
 * Every code of the service (spec 2, Errors). Clients dispatch on the code, which is never renamed or reused. Codes
 * that are only recorded on jobs are in `recordedCodes`.
 */
export const errors = {
  'job.not-found': { status: 404, message: 'No job has this id.' },
  'job.not-queued': { status: 409, message: 'The job is no longer queued.' },
  'job.race-lost': { status: 409, message: 'A worker took the job before the action was recorded. Try again.' },
  'job.not-failed': { status: 409, message: 'Only a failed job can be retried.' },
  'job.rejected-not-retriable': { status: 409, message: 'An approver rejected the job; it cannot be retried.' },
  'job.input-missing': { status: 409, message: 'The original input file is gone.' },
  'job.output-unavailable': { status: 409, message: 'The job has no output to hand out.' },
  'job.output-gone': { status: 410, message: 'The output file is no longer in the output folder.' },
  'job.archive-empty': { status: 400, message: 'Name at least one job.' },
  'job.archive-too-large': { status: 400, message: 'An archive holds at most 50 jobs.' },
  'job.already-processing': { status: 409, message: 'An active job already holds this file.' },
  'file.already-processed': { status: 409, message: 'A file of this name is already signed or being signed.' },
  'job.path-too-long': { status: 400, message: 'The path of the file exceeds 850 characters.' },
  'job.in-flight': { status: 409, message: 'The job is being signed; wait until it has ended.' },
  'upload.disabled': { status: 409, message: 'Uploads are switched off.' },
  'upload.empty': { status: 400, message: 'The file part is missing or empty.' },
  'upload.too-large': { status: 413, message: 'The file is larger than uploads may be.' },
  'upload.invalid-name': { status: 400, message: 'The file part carries no usable file name.' },
  'upload.format-unsupported': { status: 400, message: 'The signature format is not one of Pades, Cades, Xades.' },
  'upload.extension-unsupported': { status: 400, message: 'Files with this extension are not accepted.' },
  'validation.reason-too-long': { status: 400, message: 'The reason exceeds 512 characters.' },
  'validation.filter-invalid': { status: 400, message: 'A query value is not acceptable.' },
  'auth.misconfigured': { status: 401, message: 'The service has no API key configured.' },
  'auth.invalid-credentials': { status: 401, message: 'The key or the session is not accepted.' },
  'session.not-found': { status: 404, message: 'No session has this id.' },
  'folder.not-found': { status: 404, message: 'No input folder has this name.' },
  'folder.invalid': { status: 400, message: 'The input folder cannot be saved like this.' },
  'folder.already-exists': { status: 409, message: 'An input folder of this name exists.' },
  'folder.changed-meanwhile': { status: 409, message: 'Somebody else changed the input folder meanwhile.' },
  'folder.in-settings': { status: 409, message: 'The input folder stands in the settings file and is changed there.' },
  'profile.not-found': { status: 404, message: 'No signing profile has this name.' },
  'profile.disabled': { status: 409, message: 'The signing profile takes no new work.' },
  'profile.takes-no-files': { status: 409, message: 'The signing profile takes no files.' },
  'profile.invalid': { status: 400, message: 'The signing profile cannot be saved like this.' },
  'profile.already-exists': { status: 409, message: 'A signing profile of this name exists.' },
  'profile.changed-meanwhile': { status: 409, message: 'Somebody else saved the signing profile meanwhile.' },
  'pipeline.race-lost': { status: 409, message: 'Another pause or resume was recorded first.' },
  'backup.disabled': { status: 409, message: 'Backups are switched off or not made by this service.' },
  'backup.already-running': { status: 409, message: 'A backup is already running.' },
  'backup.not-running': { status: 409, message: 'No backup is running.' },
  'branding.customer-logo-not-available': { status: 404, message: 'No customer logo is available.' },
  'culture.not-supported': { status: 400, message: 'The language is neither en-US nor pt-BR.' },
  'approval.not-required': { status: 404, message: 'The job never waited for approval.' },
  'approval.not-pending': { status: 409, message: 'The job accepts no such decision now.' },
  'approval.unknown-approver': { status: 403, message: 'The address is not one of the approvers of this job.' },
  'approval.already-decided': { status: 409, message: 'This approver has decided before; decisions are final.' },
  'approval.unknown-decision': { status: 400, message: 'A decision is approved or rejected.' },
  'approval.signature-required': { status: 403, message: 'This job is approved by signing it, in the portal.' },
  'approval.second-factor-required': { status: 403, message: 'Decisions are made in the portal, with a code.' },
  'approval.job-incomplete': { status: 500, message: 'The job lacks its rule or the hash of its content.' },
  'approval.second-factor-not-enrolled': { status: 409, message: 'No authenticator app is enrolled.' },
  'approval.second-factor-already-enrolled': { status: 409, message: 'An authenticator app is enrolled already.' },
  'approval.second-factor-enrolment-expired': { status: 409, message: 'The enrolment took too long: begin it anew.' },
  'approval.signing-not-found': { status: 404, message: 'Nothing was begun under this id.' },
  'approval.cloud-unavailable': { status: 503, message: 'Cloud certificates cannot be used now.' },
  'approval.tokens-unavailable': { status: 503, message: 'Tokens cannot be used now.' },
  'rate-limited': { status: 429, message: 'Too many requests. Try again later.' },
  'request.invalid': { status: 400, message: 'The request is not acceptable.' },
  'request.too-large': { status: 413, message: 'The body of the request is larger than this call takes.' },
  'request.unknown-route': { status: 404, message: 'Nothing answers here.' },
  'service.busy': { status: 503, message: 'The service is too busy. Try again later.' },
  internal: { status: 500, message: 'Something went wrong inside the service.' },
} as const satisfies Readonly<Record<string, ErrorEntry>>

export type ErrorCode = keyof typeof errors

/** Codes that are recorded on a job, with the beginning of the sentence in its error message. */
export const recordedCodes = {
  'job.input-held': 'Another process held the input file while it was to be read; nothing was signed.',
  'job.input-diverged': 'The input file was rewritten during the job and was left in place.',
  'job.input-missing': 'The input file was gone before it could be read.',
  'job.input-unstable': 'The input file kept changing while it was read; nothing was signed.',
  'job.interrupted': 'The service stopped while the job was in flight.',
  'job.signing-failed': 'The signature could not be made.',
  'job.verification-failed': 'The signature that was made did not verify.',
  'job.encryption-failed': 'The output could not be encrypted.',
  'job.output-exists': 'Output already exists at',
  'job.storage-failed': 'The files of the job could not be read or written.',
  'job.certificate-invalid': 'The certificate of the profile is not valid for signing now.',
  'file.already-processed': 'A file of this name is already signed or being signed.',
  'folder.input-unavailable': 'The input folder cannot be used now.',
  'folder.output-unavailable': 'The output folder cannot be used now.',
  'profile.degraded': 'The signing profile cannot sign.',
  'profile.key-unavailable': 'The file was to be signed with the key of the profile, which has none any more.',
  'profile.timestamp-unavailable': 'The timestamp authority of the profile gives no timestamp.',
  'profile.not-found': 'The signing profile no longer exists.',
  'cnab240.invalid': 'The file is not a compliant CNAB240 remittance.',
  'cnab240.payment-date-passed': 'The earliest payment date of the remittance has passed.',
  'approval.rejected': 'An approver rejected the file before it was signed.',
  'approval.content-changed': 'The copy that was approved changed since; nothing was signed.',
  'approval.content-unmeasured': 'It is not known which content was approved; nothing was signed.',
  'approval.signer-set-unsupported': 'The signatures that the approval rule asks for cannot be made.',
  'approval.signatures-missing': 'Signatures of approvers are missing.',
} as const satisfies Readonly<Record<string, string>>

export type RecordedCode = keyof typeof recordedCodes

/** Codes that are shown to an approver who signs or gives a code: neither answers nor on jobs. */
export const shownCodes = [
  'approval.certificate-invalid',
  'approval.certificate-without-cpf',
  'approval.certificate-cpf-mismatch',
  'approval.signature-invalid',
  'approval.signature-conflict',
  'approval.second-factor-invalid-code',
  'approval.second-factor-locked-out',
] as const

export type ShownCode = (typeof shownCodes)[number]
