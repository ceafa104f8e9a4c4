// What the pipeline asks of signing: a plan is everything a job needs, frozen when the job is picked up.
import type { SignatureFormat } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import type { OutputBytes, Staged } from '../../upstream/storage/storage.ts'

/** Whether a profile can sign, and if not, why. */
export interface ProfileState {
  readonly state: 'ready' | 'degraded'
  /** One sentence without secrets. */
  readonly reason?: string
}

/** How one job is signed. Every method throws JobFailure with the code to record. */
export interface SigningPlan {
  readonly profile: Profile
  readonly format: SignatureFormat
  readonly encrypts: boolean
  /** Name of the output: suffixes of format, PEM and encryption (batch-signer facts 1.4). */
  outputName(fileName: string): string
  /** Pre-sign validation of the certificate, where the profile asks for it: chain, validity, revocation. */
  validateCertificate(now: Date): Promise<void>
  /** Asks the key. Contents that were staged on disk are signed into the scratch file. */
  sign(content: Staged, now: Date, scratch: () => Promise<string>): Promise<SignedContent>
}

/** A signature that was made; what is verified, what is written. */
export interface SignedContent {
  /** The signed file as it is to be written: armoured and encrypted as the profile says. Call after `verify`. */
  output(now: Date): Promise<OutputBytes>
  /** Checks the signature as a stranger would: intact, whole file, the profile's certificate. Throws JobFailure. */
  verify(now: Date): Promise<void>
}

/** The profiles of the store with their keys, always current. */
export interface ProfileDirectory {
  /** Case-insensitive. */
  get(name: string): Profile | undefined
  byFolder(folder: string): Profile | undefined
  list(): readonly Profile[]
  state(name: string): ProfileState
  /** Throws JobFailure: profile.not-found, profile.degraded. */
  plan(job: { profileName: string; format: SignatureFormat; encryptionRequested: boolean | null }): SigningPlan
  /** Calls back after profiles were edited here or on another instance; returns the way to stop. */
  onChange(listener: () => void): () => void
}
