import type { MoveTable } from '@chancela/service-kernel/states'

/** The eight states of a job (spec 2, States). */
export const jobStatuses = [
  'Queued',
  'Processing',
  'Verifying',
  'Completed',
  'Failed',
  'Canceled',
  'AwaitingSigner',
  'AwaitingApproval',
] as const

export type JobStatus = (typeof jobStatuses)[number]

/** Final states; a retry is a new job. */
const terminalStatuses = ['Completed', 'Failed', 'Canceled'] as const satisfies readonly JobStatus[]

export type JobEnd = (typeof terminalStatuses)[number]

/** Whether the state is final. */
export const isEnd = (status: JobStatus): status is JobEnd =>
  (terminalStatuses as readonly JobStatus[]).includes(status)

/** States in which a job occupies its file and its name. */
export const activeStatuses = [
  'Queued',
  'Processing',
  'Verifying',
  'AwaitingSigner',
  'AwaitingApproval',
] as const satisfies readonly JobStatus[]

/** States in which a worker of this service is processing the job. */
export const inFlightStatuses = ['Processing', 'Verifying'] as const satisfies readonly JobStatus[]

/** Every state change of a job: the table of the specification, as far as it applies to files signed here. */
export const jobMoves = {
  /** A worker picks the job up. */
  pickUp: { from: ['Queued'], to: 'Processing' },
  /** The local signature succeeded. */
  signed: { from: ['Processing'], to: 'Verifying' },
  /** The signature verified and its file exists in output/. */
  complete: { from: ['Verifying'], to: 'Completed' },
  /** A gate, the signature, the verification or the storage failed; start-up recovery ends here too. */
  fail: { from: ['Processing', 'Verifying'], to: 'Failed' },
  /** Its profile or its folder cannot be used now: the job waits in the queue again, as if it had not been picked up. */
  putBack: { from: ['Processing', 'Verifying'], to: 'Queued' },
  /** Its profile has an approval rule: the job waits for people, with the rule and the content as they are now. */
  park: { from: ['Processing'], to: 'AwaitingApproval' },
  /** Enough approvers have approved it: the job is in the queue again, and the gates are run anew. */
  release: { from: ['AwaitingApproval'], to: 'Queued' },
  /** An approver rejected it, before a worker had it again. */
  reject: { from: ['AwaitingApproval', 'Queued'], to: 'Canceled' },
  /** Nobody else decided in time. */
  expire: { from: ['AwaitingApproval'], to: 'Canceled' },
  /** An operator cancels a job nobody has picked up. */
  cancel: { from: ['Queued', 'AwaitingSigner', 'AwaitingApproval'], to: 'Canceled' },
} as const satisfies MoveTable<JobStatus>

/** Initial state: queued, or refused at intake. */
export const jobBeginnings = { enqueue: 'Queued', bornFailed: 'Failed' } as const satisfies Record<string, JobStatus>

export type JobMove = keyof typeof jobMoves

/** The formats of signatures, as the wire spells them. */
export const signatureFormats = ['Pades', 'Cades', 'Xades'] as const

export type SignatureFormat = (typeof signatureFormats)[number]

/** Origin of a job. */
export const jobSources = ['Watcher', 'Upload', 'Retry', 'Rescan', 'SignerFolder'] as const

export type JobSource = (typeof jobSources)[number]

const formatOfExtension: Readonly<Record<string, SignatureFormat>> = { pdf: 'Pades', xml: 'Xades' }

/** The format for a file name where neither the caller nor the profile gives one. */
export function formatByExtension(fileName: string): SignatureFormat {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return formatOfExtension[extension] ?? 'Cades'
}

/** The form in which names are compared host-wide: composed letters, no case (spec 2, Files 1). */
export const nameKey = (fileName: string): string => fileName.normalize('NFC').toLowerCase().normalize('NFC')

/** Longest path that is accepted (spec 2, Files 6). */
export const MAX_PATH_LENGTH = 850

/** Longest reason of a cancellation or a pause; the spec leaves the number open. */
export const MAX_REASON_LENGTH = 512
