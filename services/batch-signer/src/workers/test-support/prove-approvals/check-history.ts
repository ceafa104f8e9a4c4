// What people were told, against what is there in the end. Nothing here asks the service.
import { approversSign, profileSigns, type SignerSet } from '../../../rules/approval-rule.ts'

/** One call of somebody who decides, with what came back; no status when the connection was lost. */
export interface Call {
  readonly jobId: string
  readonly email: string
  readonly decision: 'approved' | 'rejected'
  readonly status?: number
  readonly released?: boolean
  readonly terminated?: boolean
  /** With somebody else's certificate, or over other bytes. */
  readonly isForged?: boolean
  /** From a browser in which no code was given, though one is asked for. */
  readonly isCodeless?: boolean
}

/** A decision in the record of a job. */
export interface Recorded {
  readonly email: string
  readonly decision: 'approved' | 'rejected'
  /** Of the certificate of an approval by signature. */
  readonly thumbprint: string | null
  /** Whether it says when a code was given. */
  readonly hasCode: boolean
}

/** A frozen rule. */
export interface SeenRule {
  readonly required: number
  /** Addresses. */
  readonly pool: readonly string[]
}

/** A job as it stands in the end. */
export interface FinalJob {
  readonly id: string
  readonly fileName: string
  readonly status: string
  readonly code: string | null
  readonly required: number | null
  readonly signers: SignerSet
  /** Addresses of the frozen pool. */
  readonly pool: readonly string[]
  /** The rule as somebody saw it earlier. */
  readonly seen?: SeenRule
  readonly contentSha256: string | null
  readonly recorded: readonly Recorded[]
  readonly isPending: boolean
}

/** A file that was given to the service, and where it is in the end; digests are of the content. */
export interface FinalFile {
  readonly name: string
  readonly sha256: string
  /** Of the content of each signed output. */
  readonly signed: readonly string[]
  /** Thumbprints of the certificates whose signatures an output carries. */
  readonly signers: readonly string[]
  readonly handedBack: readonly string[]
  readonly isInInput: boolean
  readonly isInError: boolean
}

export interface History {
  readonly calls: readonly Call[]
  readonly jobs: readonly FinalJob[]
  readonly files: readonly FinalFile[]
  /** Of everybody's own certificate, by address. */
  readonly thumbprints: Readonly<Record<string, string>>
  /** Of the key of the profiles. */
  readonly profileThumbprint: string
  readonly asksForCodes: boolean
  /** What is wrong with the audit chain. */
  readonly chain: readonly string[]
}

/** What must never be, by the column of the report. */
export const promises = {
  'signed without a quorum': ({ jobs }) =>
    completed(jobs)
      .filter((job) => job.required !== null && approvals(job) < job.required)
      .map(nameOf),
  'signed though rejected': ({ jobs, calls }) =>
    completed(jobs)
      .filter(
        (job) => rejections(job) > 0 || of(calls, job).some((call) => isTaken(call) && call.decision === 'rejected'),
      )
      .map(nameOf),
  'signed other bytes': ({ files }) =>
    files.filter(({ signed, sha256 }) => signed.some((one) => one !== sha256)).map(({ name }) => name),
  'approved other bytes': ({ jobs, files }) =>
    jobs.filter((job) => job.contentSha256 !== null && fileOf(files, job)?.sha256 !== job.contentSha256).map(nameOf),
  'handed back other bytes': ({ files }) =>
    files.filter(({ handedBack, sha256 }) => handedBack.some((one) => one !== sha256)).map(({ name }) => name),
  'decided twice': ({ jobs, calls }) =>
    jobs.filter((job) => repeats(job.recorded.map(({ email }) => email)) || repeats(taken(calls, job))).map(nameOf),
  'decision lost': ({ jobs, calls }) =>
    jobs
      .filter((job) => of(calls, job).some((call) => isTaken(call) && !job.recorded.some((one) => isSame(one, call))))
      .map(nameOf),
  'decision invented': ({ jobs, calls }) =>
    jobs.filter((job) => job.recorded.some((one) => !of(calls, job).some((call) => isSame(one, call)))).map(nameOf),
  'released twice, or not by the quorum': ({ jobs, calls }) =>
    jobs.filter((job) => of(calls, job).filter(({ released }) => released).length > 1 || isOverfull(job)).map(nameOf),
  'signed by others than the rule says': (history) =>
    completed(history.jobs)
      .filter(
        (job) => job.required !== null && !isSameSet(signersOf(history, job), fileOf(history.files, job)?.signers),
      )
      .map(nameOf),
  'approved without a signature of their own': ({ jobs, thumbprints }) =>
    jobs
      .filter(
        (job) =>
          approversSign(job.signers) &&
          approved(job).some(({ email, thumbprint }) => thumbprint !== thumbprints[email]),
      )
      .map(nameOf),
  'forged signature taken': ({ calls }) => calls.filter((call) => call.isForged && isTaken(call)).map(aboutCall),
  'decided without a code': ({ jobs, calls, asksForCodes }) => [
    ...calls.filter((call) => call.isCodeless && isTaken(call)).map(aboutCall),
    ...jobs
      .filter((job) => asksForCodes && job.recorded.some(({ hasCode, thumbprint }) => !hasCode && thumbprint === null))
      .map(nameOf),
  ],
  'decided by somebody outside the frozen pool': ({ jobs }) =>
    jobs.filter(({ recorded, pool }) => recorded.some(({ email }) => !pool.includes(email))).map(nameOf),
  'frozen rule changed': ({ jobs }) =>
    jobs
      .filter(({ seen, required, pool }) => seen && (seen.required !== required || !isSameSet(seen.pool, pool)))
      .map(nameOf),
  'rejected, but not ended': ({ jobs }) =>
    jobs.filter((job) => rejections(job) > 0 && !['Canceled', 'Failed'].includes(job.status)).map(nameOf),
  'delivered twice': ({ files }) =>
    files.filter(({ signed, handedBack }) => signed.length + handedBack.length > 1).map(({ name }) => name),
  lost: ({ files }) =>
    files
      .filter((file) => file.signed.length + file.handedBack.length === 0 && !file.isInInput && !file.isInError)
      .map(({ name }) => name),
  hung: ({ jobs }) =>
    jobs
      .filter(({ status, isPending }) => ['Processing', 'Verifying', 'Queued'].includes(status) || isPending)
      .map(nameOf),
  'audit chain broken': ({ chain }) => chain,
} as const satisfies Readonly<Record<string, (history: History) => readonly string[]>>

export type Promised = keyof typeof promises

/** Each broken promise with the files it was broken for. */
export const brokenBy = (history: History): readonly { readonly kind: Promised; readonly about: string }[] =>
  (Object.keys(promises) as Promised[]).flatMap((kind) => promises[kind](history).map((about) => ({ kind, about })))

const completed = (jobs: readonly FinalJob[]) => jobs.filter(({ status }) => status === 'Completed')

const of = (calls: readonly Call[], { id }: FinalJob) => calls.filter(({ jobId }) => jobId === id)

const approved = ({ recorded }: FinalJob) => recorded.filter(({ decision }) => decision === 'approved')

/** Whose signatures the file of a job carries, exactly. */
const signersOf = ({ thumbprints, profileThumbprint }: History, job: FinalJob): readonly string[] => [
  ...(approversSign(job.signers) ? approved(job).map(({ email }) => thumbprints[email] ?? `none of ${email}`) : []),
  ...(profileSigns(job.signers) ? [profileThumbprint] : []),
]

const isSameSet = (one: readonly string[], other: readonly string[] = []): boolean =>
  [...one].sort().join() === [...other].sort().join()

const aboutCall = ({ jobId, email }: Call): string => `${email} about ${jobId}`

const isTaken = ({ status }: Call): boolean => status === 200

const taken = (calls: readonly Call[], job: FinalJob) =>
  of(calls, job)
    .filter(isTaken)
    .map(({ email }) => email)

const isSame = (one: Recorded, call: Call): boolean => one.email === call.email && one.decision === call.decision

const count = ({ recorded }: FinalJob, wanted: Recorded['decision']) =>
  recorded.filter(({ decision }) => decision === wanted).length

const approvals = (job: FinalJob) => count(job, 'approved')

const rejections = (job: FinalJob) => count(job, 'rejected')

/** The quorum ends the wait: nobody is asked for one more approval. */
const isOverfull = (job: FinalJob): boolean => job.required !== null && approvals(job) > job.required

const fileOf = (files: readonly FinalFile[], { fileName }: FinalJob) => files.find(({ name }) => name === fileName)

const repeats = (values: readonly string[]): boolean => new Set(values).size < values.length

const nameOf = ({ fileName, id }: FinalJob): string => `${fileName} (${id})`
