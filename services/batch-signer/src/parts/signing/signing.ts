// The signing interface of the pipeline: a plan has everything a job needs, fixed when the job is picked up.
import type { SignerSet } from '../../rules/approval-rule.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import type { JobReason } from '../../rules/job-reason.ts'
import type { Profile } from '../../rules/profile.ts'
import type { OutputBytes, Staged } from '../../upstream/storage/storage.ts'
import type { ProfileHolds } from './profile-holds.ts'

/** Whether a profile can sign, and if not, why. */
export interface ProfileState {
  /** Keyless: approvers sign in place of a key. */
  readonly state: 'ready' | 'keyless' | 'degraded'
  /** One sentence without secrets. */
  readonly reason?: string
  /** The same for readers of other languages, where it is known. */
  readonly told?: JobReason | undefined
  readonly code?: string
}

/** How one job is signed. Every method throws JobFailure with the code to record; ProfileHeld where the file is not at fault. */
export interface SigningPlan {
  readonly profile: Profile
  readonly format: SignatureFormat
  readonly encrypts: boolean
  /** Name of the output: suffixes of format, PEM and encryption (batch-signer facts 1.4). */
  outputName(fileName: string): string
  /** Pre-sign validation of the certificate, where the profile asks for it: chain, validity, revocation. */
  validateCertificate(now: Date): Promise<void>
  /** Signs with the key. Contents staged on disk are signed into the scratch file. */
  sign(content: Staged, now: Date, scratch: () => Promise<string>): Promise<SignedContent>
  /**
   * Makes the signatures that an approved job was released with: those of its approvers, with that of the key or in its
   * place. Throws JobFailure approval.signer-set-unsupported or approval.signatures-missing, before the key is used.
   */
  signApproved(
    content: Staged,
    approved: ApprovedSignatures,
    now: Date,
    scratch: () => Promise<string>,
  ): Promise<SignedContent>
}

/** What approvers signed, as their decisions recorded it. */
export interface ApprovedSignatures {
  /** Of the frozen rule. */
  readonly signers: SignerSet
  /** The envelope that the job's row names; null where it names none. */
  readonly envelope: { readonly path: string; readonly sha256: string } | null
  /** SHA-256 of the certificate of every approval, in lower-case hex; null for an approval without one. */
  readonly thumbprints: readonly (string | null)[]
}

/** A finished signature, to be verified and written. */
export interface SignedContent {
  /** The signed file to write: armoured and encrypted as the profile says. Call after `verify`. */
  output(now: Date): Promise<OutputBytes>
  /** Validates it as a third party would: intact, whole file, the profile's certificate. Throws JobFailure. */
  verify(now: Date): Promise<void>
}

/** The profiles of the store with their keys, always current. */
export interface ProfileDirectory {
  /** Case-insensitive. */
  get(name: string): Profile | undefined
  byFolder(folder: string): Profile | undefined
  list(): readonly Profile[]
  state(name: string): ProfileState
  /** The profiles that cannot sign now; their jobs wait. */
  readonly holds: ProfileHolds
  /** Throws JobFailure profile.not-found; ProfileHeld while there is no key. Of a keyless profile it only fails to sign. */
  plan(job: { profileName: string; format: SignatureFormat; encryptionRequested: boolean | null }): SigningPlan
  /** Encrypts a file of the job as its outputs are; undefined when they are not. Throws JobFailure. */
  encryption(job: {
    profileName: string
    encryptionRequested: boolean | null
  }): ((file: OutputBytes, now: Date) => Promise<OutputBytes>) | undefined
  /** Calls back after profiles were edited by this or another instance; returns a function to stop. */
  onChange(listener: () => void): () => void
}
