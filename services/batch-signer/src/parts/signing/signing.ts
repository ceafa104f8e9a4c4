// The signing interface of the pipeline: a plan has everything a job needs, fixed when the job is picked up.
import type { SignatureFormat } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import type { OutputBytes, Staged } from '../../upstream/storage/storage.ts'
import type { ProfileHolds } from './profile-holds.ts'

/** Whether a profile can sign, and if not, why. */
export interface ProfileState {
  readonly state: 'ready' | 'degraded'
  /** One sentence without secrets. */
  readonly reason?: string
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
  /** Throws JobFailure profile.not-found; ProfileHeld while there is no key. */
  plan(job: { profileName: string; format: SignatureFormat; encryptionRequested: boolean | null }): SigningPlan
  /** Calls back after profiles were edited by this or another instance; returns a function to stop. */
  onChange(listener: () => void): () => void
}
