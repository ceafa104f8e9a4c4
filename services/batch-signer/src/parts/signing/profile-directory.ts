import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Check, type CheckResult, lasting } from '@chancela/service-kernel/health'
import { type CertificateGate, revocationCheck, type Trust } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { createTimestampClient, type TimestampClient } from '@chancela/signature-engine/timestamps'
import { type Certificate, readCertificates, signerReport } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { isKeyless } from '../../rules/approval-rule.ts'
import { conditions, type HoldReason, ProfileHeld } from '../../rules/conditions.ts'
import type { SignatureFormat } from '../../rules/job.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf, type ToldReason } from '../../rules/job-reason.ts'
import type { Profile } from '../../rules/profile.ts'
import { type Trouble, troubleOf } from '../../rules/trouble.ts'
import { profileKey, readProfiles, type StoredProfile, sealContext } from '../../store/profiles.ts'
import type { OutputBytes } from '../../upstream/storage/storage.ts'
import { keylessPlan } from './approved-signing.ts'
import { encryptOutput } from './encrypt-output.ts'
import { requireGood, requireTimestamp } from './find-condition.ts'
import { type KeyAccess, KeyProblem, type OpenKey, openKey } from './open-key.ts'
import { ProfileHolds } from './profile-holds.ts'
import type { ProfileDirectory, ProfileState, SigningPlan } from './signing.ts'
import { signingPlan } from './signing-plan.ts'
import { requireKey } from './test-certificate.ts'
import type { TokenPool } from './token-pool.ts'
import { withIssuers } from './with-issuers.ts'

/** What the directory needs besides the context. */
export interface DirectoryParts {
  readonly trust: Trust
  readonly gate: CertificateGate
  readonly tokens: TokenPool
  /** Names of the folders this host watches. */
  readonly folders: () => readonly string[]
  /** Default recipients for requested encryption where the profile has none. */
  readonly hostRecipients: readonly Certificate[]
  /** Milliseconds until a held profile is tried for the first time; doubled up to a minute. Default 3,000. */
  readonly firstRetryMs?: number
}

/** A profile with its key, if that is open. */
interface Entry {
  stored: StoredProfile
  recipients: readonly Certificate[]
  key: OpenKey | undefined
  /** Why there is no key. */
  problem: KeyProblem | undefined
}

type DirectoryContext = Pick<
  Context,
  'store' | 'secrets' | 'settings' | 'dataFolder' | 'clock' | 'logger' | 'readiness' | 'certificates'
>

/** The profiles of the store with their keys, always current: edits apply while jobs run. */
export class CurrentProfiles implements ProfileDirectory {
  readonly holds: ProfileHolds
  readonly #context: DirectoryContext
  readonly #parts: DirectoryParts
  readonly #entries = new Map<string, Entry>()
  readonly #byFolder = new Map<string, Profile>()
  readonly #listeners = new Set<() => void>()
  readonly #timestamps = new Map<string, TimestampClient>()
  /** The look at each key: kept over edits, so that a token is not asked more often for them. */
  readonly #looks = new Map<string, Check>()
  #list: readonly Profile[] = []
  #turn: Promise<void> = Promise.resolve()
  #closed = false

  constructor(context: DirectoryContext, parts: DirectoryParts) {
    this.#context = context
    this.#parts = parts
    const { clock, logger } = context
    const probe = (name: string, reason: HoldReason) => this.#trial(name, reason)
    this.holds = new ProfileHolds({ clock, logger, probe, firstTryMs: parts.firstRetryMs })
  }

  get(name: string): Profile | undefined {
    return this.#entries.get(profileKey(name))?.stored.profile
  }

  byFolder(folder: string): Profile | undefined {
    return this.#byFolder.get(folder)
  }

  list(): readonly Profile[] {
    return this.#list
  }

  /** The stored profile, with its sealed values, for an edit. */
  stored(name: string): StoredProfile | undefined {
    return this.#entries.get(profileKey(name))?.stored
  }

  state(name: string): ProfileState {
    const entry = this.#entries.get(profileKey(name))
    const isUsable = entry && (entry.key || isKeyless(entry.stored.profile))
    if (!isUsable)
      return { state: 'degraded', ...toldOf(entry?.problem ?? new KeyProblem('There is no such profile.')) }
    const hold = this.holds.of(entry.stored.profile.name)
    if (hold) return { state: 'degraded', reason: hold.message, told: hold.told, code: hold.code }
    if (!entry.key) return { state: 'keyless' }
    const warning = validityWarning(entry.key.signer.certificate, this.#context.clock())
    if (warning === undefined) return { state: 'ready' }
    // Without validation an expired key still signs: the operator decided so, and is warned.
    const { message: reason, told } = warning
    return { state: entry.stored.profile.validateCertificate ? 'degraded' : 'ready', reason, told }
  }

  /** The certificate in use; undefined while the profile is degraded. */
  certificate(name: string): Certificate | undefined {
    return this.#entries.get(profileKey(name))?.key?.signer.certificate
  }

  plan(job: { profileName: string; format: SignatureFormat; encryptionRequested: boolean | null }): SigningPlan {
    const entry = this.#entries.get(profileKey(job.profileName))
    if (!entry) throw new JobFailure('profile.not-found')
    const { profile } = entry.stored
    // Without a key its approvers can still sign: whether they alone do, the frozen rule of the job says.
    if (!entry.key && !isKeyless(profile)) throw heldBy(entry.problem)
    const parts = {
      profile,
      format: job.format,
      recipients: (job.encryptionRequested ?? profile.encrypt) ? this.#recipients(entry) : [],
      gate: this.#parts.gate,
      timestamps: this.#timestampClient(profile),
      judge: () => this.#parts.trust.judge(),
      maxDocumentBytes: this.#context.settings.Pipeline.MaxDocumentBytes,
      timeZone: this.#context.settings.Site.TimeZone,
    }
    return entry.key ? signingPlan({ ...parts, signer: entry.key.signer }) : keylessPlan(parts)
  }

  encryption({ profileName, encryptionRequested }: { profileName: string; encryptionRequested: boolean | null }) {
    const entry = this.#entries.get(profileKey(profileName))
    if (!entry || !(encryptionRequested ?? entry.stored.profile.encrypt)) return undefined
    return async (file: OutputBytes, now: Date) => encryptOutput(this.#recipients(entry), file, now)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Loads the store's current profiles; resolves when every changed key was tried. */
  reload(): Promise<void> {
    this.#turn = this.#turn.catch(ignored).then(() => (this.#closed ? undefined : this.#reloadNow()))
    return this.#turn
  }

  async close(): Promise<void> {
    this.#closed = true
    this.holds.close()
    await this.#turn.catch(ignored)
    for (const entry of this.#entries.values()) await this.#forget(entry)
  }

  async #reloadNow(): Promise<void> {
    const rows = await readProfiles(this.#context.store.db)
    const before = this.#list
    const opened = rows.map((row) => this.#takeOver(row))
    this.#list = rows.map(({ profile }) => profile)
    this.#byFolder.clear()
    for (const profile of this.#list) if (profile.inputFolder !== null) this.#byFolder.set(profile.inputFolder, profile)
    this.#showFolders(before)
    await Promise.all(opened)
    if (!isSameList(before, this.#list)) this.#emit()
  }

  #emit(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Behaviour applies from the next job on; a key stays until another one is open, or fails to open. */
  async #takeOver(row: StoredProfile): Promise<void> {
    const name = profileKey(row.profile.name)
    const known = this.#entries.get(name)
    if (known && isSameKey(known.stored, row)) {
      known.stored = row
      known.recipients = recipientsOf(row.profile)
      // Another authority, or no validation any more: the edit may be the cure.
      void this.holds.tryNow(row.profile.name)
      return
    }
    const entry = known ?? newEntry(row)
    entry.stored = row
    entry.recipients = recipientsOf(row.profile)
    this.#entries.set(name, entry)
    this.#showState(row.profile.name)
    await this.#open(entry)
  }

  /** Whether the profile could sign now, tried without any file; throws ProfileHeld while it cannot. */
  async #trial(name: string, reason: HoldReason): Promise<void> {
    const entry = this.#entries.get(profileKey(name))
    if (!entry) return
    if (!entry.key || isFileOnDisk(entry.stored.profile)) await this.#openInTurn(entry)
    // After the key was tried: an edit may have come in between.
    if (isKeyless(entry.stored.profile)) return this.#trialWithoutKey(entry)
    if (!entry.key) throw heldBy(entry.problem)
    const { profile } = entry.stored
    const { signer } = entry.key
    await requireKey(signer, this.#context.clock())
    // Levels with validation data ask about the certificate, whether or not the profile does.
    const isOfCertificate = conditions[reason].code === 'job.certificate-invalid'
    if (profile.validateCertificate || isOfCertificate)
      await requireGood(this.#parts.gate, signer, this.#context.clock(), { again: true })
    if (profile.encrypt) this.#recipients(entry)
    if (reason === 'timestamp-unavailable') await requireTimestamp(this.#timestampClient(profile))
  }

  #trialWithoutKey(entry: Entry): void {
    if (entry.stored.profile.encrypt) this.#recipients(entry)
  }

  #openInTurn(entry: Entry): Promise<void> {
    this.#turn = this.#turn.catch(ignored).then(() => (this.#closed ? undefined : this.#open(entry, true)))
    return this.#turn
  }

  /** `onTrial`: whoever tries the profile ends its hold, after more than the key was tried. */
  async #open(entry: Entry, onTrial = false): Promise<void> {
    const { profile } = entry.stored
    const former = entry.key
    // A token allows one login: the old one is released first. Jobs still signing with it reopen it themselves.
    await former?.release()
    if (isKeyless(profile)) return this.#settleKeyless(entry, onTrial)
    try {
      const key = await openKey(accessOf(entry.stored, this.#context), {
        dataFolder: this.#context.dataFolder,
        tokens: this.#parts.tokens,
      })
      const signer = await withIssuers(key.signer, this.#parts.trust, this.#context.clock())
      const isOther = former?.signer.certificate.fingerprint !== signer.certificate.fingerprint
      this.#settle(entry, { ...key, signer }, undefined)
      // What was wrong with another certificate says nothing about this one: its first job tells.
      if (isOther && !onTrial) this.holds.end(profile.name)
    } catch (error) {
      this.#settle(entry, undefined, this.#problemOf(error, profile.name))
    }
  }

  /** An error of a third-party module degrades one profile only; the others sign, and the error is logged. */
  #problemOf(error: unknown, profile: string): KeyProblem {
    if (error instanceof KeyProblem) return error
    this.#context.logger.error({ err: error, profile }, 'A key could not be opened.')
    return new KeyProblem(reasonOf('key-unexpected'), { cause: error })
  }

  #settle(entry: Entry, key: OpenKey | undefined, problem: KeyProblem | undefined): void {
    const { name } = entry.stored.profile
    const isNews = (entry.problem?.message ?? '') !== (problem?.message ?? '') || (entry.key === undefined && key)
    entry.key = key
    entry.problem = problem
    this.#showState(name)
    if (problem) this.holds.begin(name, heldBy(problem))
    if (isNews) this.#emit()
  }

  /** A stored certificate stays for the day the rule wants it again; until then it opens no key and holds nothing. */
  #settleKeyless(entry: Entry, onTrial: boolean): void {
    this.#settle(entry, undefined, undefined)
    if (!onTrial) this.holds.end(entry.stored.profile.name)
  }

  async #forget(entry: Entry): Promise<void> {
    await entry.key?.release()
    entry.key = undefined
  }

  /** The profile's own recipients; the host's only where the profile has none. */
  #recipients({ recipients, stored }: Entry): readonly Certificate[] {
    const isNamed = stored.profile.encryptionCertificates.length > 0
    const all = isNamed ? recipients : this.#parts.hostRecipients
    const why =
      all.length > 0
        ? whyExpired(all, this.#context.clock())
        : reasonOf(isNamed ? 'recipients-unreadable' : 'recipients-missing')
    if (!why) return all
    // What one job alone asked for must not hold the files of all others.
    throw stored.profile.encrypt
      ? new ProfileHeld('recipients-unusable', why)
      : new JobFailure('job.encryption-failed', why)
  }

  #timestampClient({ timestampAuthority }: Profile): TimestampClient | undefined {
    const url = timestampAuthority ?? this.#context.settings.Signing.TimestampAuthority
    if (url === undefined) return undefined
    const known = this.#timestamps.get(url) ?? createTimestampClient({ authorities: [{ url }] })
    this.#timestamps.set(url, known)
    return known
  }

  /** A degraded profile is shown but does not affect readiness: the others sign. */
  #showState(name: string): void {
    const { readiness } = this.#context
    const rows = [`signing-profile:${name}`, `signing-profile-keyless:${name}`]
    const [shown, other] = this.#isKeyless(name) ? rows.reverse() : rows
    const look = this.#lookOf(name)
    const check: Check = async (signal) => {
      const looked = await look(signal)
      const { state, reason } = this.state(name)
      if (state === 'degraded' || looked.ok)
        return { ok: state !== 'degraded', detail: reason ?? this.#readyDetail(name) }
      return looked
    }
    readiness.remove(other!)
    readiness.add(shown!, check, { gates: false })
  }

  #lookOf(name: string): Check {
    const key = profileKey(name)
    const known = this.#looks.get(key)
    if (known) return known
    const { clock, certificates } = this.#context
    const look = lasting(() => this.#look(key), { clock })
    this.#looks.set(key, look)
    const judged = revocationCheck({ clock, gate: this.#parts.gate }, () => this.#validated(key))
    // Without validation an expired or revoked certificate signs: the operator decided so.
    const watched = () => (this.get(name)?.validateCertificate ? this.certificate(name) : undefined)
    certificates.watch(`signing-profile:${name}`, watched, { judged })
    return look
  }

  #validated(key: string): DigestSigner | undefined {
    const entry = this.#entries.get(key)
    return entry?.stored.profile.validateCertificate ? entry.key?.signer : undefined
  }

  /**
   * Really signs with the key of a profile, so that a lost token is noticed before a file meets it: the profile is then
   * held, and tried again, as by its files. One that is held is tried by its hold alone: a wrong PIN locks a token.
   */
  async #look(name: string): Promise<CheckResult> {
    const entry = this.#entries.get(name)
    const key = entry?.key
    if (!entry || !key || !entry.stored.profile.enabled || this.holds.of(entry.stored.profile.name)) return FINE
    try {
      await requireKey(key.signer, this.#context.clock())
    } catch (error) {
      if (!(error instanceof ProfileHeld)) throw error
      if (entry.key === key) this.holds.begin(entry.stored.profile.name, error)
      return FINE
    }
    return this.#lookAtFile(entry.stored.profile)
  }

  /** What is open signs on, but the next start would not find it. */
  async #lookAtFile(profile: Profile): Promise<CheckResult> {
    const path = pathOnDisk(profile)
    if (path === undefined) return FINE
    try {
      await access(resolve(this.#context.dataFolder, path), constants.R_OK)
      return FINE
    } catch (error) {
      return {
        ok: false,
        detail: `It signs, but the file of its key cannot be read any more: ${(error as Error).message}`,
      }
    }
  }

  #isKeyless(name: string): boolean {
    const profile = this.get(name)
    return profile !== undefined && isKeyless(profile)
  }

  #readyDetail(name: string): string {
    if (this.#isKeyless(name)) return 'It has no key: its approvers sign.'
    return `It can sign; its certificate is valid until ${this.certificate(name)?.notAfter.toISOString()}.`
  }

  /** A folder configured on another host is not watched here: shown, without effect on readiness. */
  #showFolders(before: readonly Profile[]): void {
    for (const { name } of before) this.#context.readiness.remove(`profile-input-folder:${name}`)
    for (const { name, inputFolder } of this.#list) {
      if (inputFolder === null || this.#parts.folders().includes(inputFolder)) continue
      const detail = `This host has no input folder named ${inputFolder}.`
      this.#context.readiness.add(`profile-input-folder:${name}`, async () => ({ ok: false, detail }), { gates: false })
    }
  }
}

const FINE: CheckResult = { ok: true }

/** The next reload tries again; the caller already has the error. */
const ignored = (): void => {}

const newEntry = (stored: StoredProfile): Entry => ({
  stored,
  recipients: [],
  key: undefined,
  problem: new KeyProblem(reasonOf('key-opening')),
})

const heldBy = (problem: KeyProblem | undefined): ProfileHeld =>
  new ProfileHeld(problem?.reason ?? 'key-unavailable', problem?.told ?? problem?.message, { cause: problem })

const toldOf = ({ message, told, reason }: KeyProblem) => ({
  reason: message,
  told: (told ?? reasonOf(reason)).reason,
})

/** A file can be replaced by a renewed one without an edit of the profile; a login to a token is not repeated. */
const isFileOnDisk = (profile: Profile): boolean => pathOnDisk(profile) !== undefined

const pathOnDisk = ({ certificate }: Profile): string | undefined =>
  certificate?.kind === 'Pkcs12' ? (certificate.path ?? undefined) : undefined

/** The secrets of a stored profile, unsealed only when needed. */
export const accessOf = ({ profile, sealed }: StoredProfile, { secrets }: Pick<Context, 'secrets'>): KeyAccess => ({
  certificate: profile.certificate,
  secret: () =>
    sealed.secret === null ? null : secrets.openText(sealed.secret, sealContext(profile.name, 'sealed_secret')),
  pkcs12: () =>
    sealed.pkcs12 === null ? null : secrets.open(sealed.pkcs12, sealContext(profile.name, 'sealed_pkcs12')),
})

const isSameKey = (a: StoredProfile, b: StoredProfile): boolean =>
  isKeyless(a.profile) === isKeyless(b.profile) &&
  a.sealed.secret === b.sealed.secret &&
  a.sealed.pkcs12 === b.sealed.pkcs12 &&
  JSON.stringify(a.profile.certificate) === JSON.stringify(b.profile.certificate)

/** By what they say, not by their versions: a store that was put back counts them anew. */
const isSameList = (a: readonly Profile[], b: readonly Profile[]): boolean => JSON.stringify(a) === JSON.stringify(b)

function whyExpired(recipients: readonly Certificate[], now: Date): ToldReason | undefined {
  const expired = recipients.find(({ notAfter }) => notAfter < now)
  if (!expired) return undefined
  return reasonOf('recipient-expired', { holder: signerReport(expired).name, notAfter: expired.notAfter.toISOString() })
}

/** The rules allow no unreadable certificate; if one is stored all the same, there are no recipients, and jobs fail. */
function recipientsOf({ encryptionCertificates }: Profile): readonly Certificate[] {
  try {
    return encryptionCertificates.flatMap((pem) => [...readCertificates(Buffer.from(pem))])
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

function validityWarning({ notBefore, notAfter }: Certificate, now: Date): Trouble | undefined {
  if (now > notAfter) return troubleOf('certificate-expired-on', { notAfter: notAfter.toISOString() })
  if (now < notBefore) return troubleOf('certificate-valid-from', { notBefore: notBefore.toISOString() })
  return undefined
}
