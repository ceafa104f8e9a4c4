// The sessions of this instance (spec 1 A, States). Active sessions are in memory and in the store, so that workstation
// sessions survive a restart and ended ones can still report when they ended.
import { createHash, randomBytes } from 'node:crypto'
import { plus, SECOND } from '@chancela/service-kernel/clock'
import type { Refusal } from '@chancela/service-kernel/errors'
import { newRowId } from '@chancela/service-kernel/store'
import { refuse } from '../../rules/refuse.ts'
import {
  endSession,
  hasLostCertificate,
  insertSession,
  sessionEndedAt,
  sessionsLeft,
  strandOwnSessions,
} from '../../store/session-rows.ts'
import type { SessionEnd } from '../../store/tables.ts'
import { TokenKey } from '../tokens/token-key.ts'
import type { VaultKey } from '../vault/vault-key.ts'
import type { Custody, LiveSession, Sessions, SigningTurn } from './live-session.ts'
import { SessionEntry } from './session-entry.ts'
import { SessionUses } from './session-uses.ts'
import { SigningCall, type SigningDependencies, type TurnKeeper } from './signing-call.ts'

/** The call that asked for a session, as the history of sessions shows it. */
export interface CallOrigin {
  readonly address: string
  readonly correlationId: string
}

/** What a session is opened with. */
export interface NewSession {
  readonly cpf: string
  readonly certificateId: string
  readonly fingerprint: string
  readonly applicationId: string
  readonly email: string | null
  readonly windowSeconds: number
  readonly origin: CallOrigin
  /** The key of a certificate that the server has itself, or the workstation that has it. */
  readonly rests: { readonly key: VaultKey | TokenKey } | { readonly workstationId: string }
}

/** The end of a session. */
interface End {
  readonly entry: SessionEntry
  readonly reason: SessionEnd
  readonly at: Date
}

const VAULT: Custody = { kind: 'vault' }

function custodyOf(rests: NewSession['rests']): Custody {
  if ('workstationId' in rests) return { kind: 'workstation', workstationId: rests.workstationId }
  return rests.key instanceof TokenKey ? { kind: 'token', token: rests.key.token } : VAULT
}

/** Reasons that also drop the PIN in use at a workstation: a person requested the end. */
const forgetting: ReadonlySet<SessionEnd> = new Set(['deactivated', 'ended-by-administrator'])

/** 256 random bits; only their hash is stored. */
const newSessionId = (): string => randomBytes(32).toString('base64url')

const hashOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('base64url')

export class LiveSessions implements Sessions, TurnKeeper {
  readonly #dependencies: SigningDependencies
  readonly #allowance: number
  readonly #uses: SessionUses
  readonly #byHash = new Map<string, SessionEntry>()
  readonly #byId = new Map<string, SessionEntry>()
  readonly #byCpf = new Map<string, SessionEntry>()
  /** Ends not yet written to the store, or not yet sent to a workstation. */
  readonly #unwritten = new Map<string, End>()

  constructor(dependencies: SigningDependencies) {
    this.#dependencies = dependencies
    this.#allowance = dependencies.context.settings.Sessions.SignatureAllowance ?? Number.POSITIVE_INFINITY
    this.#uses = new SessionUses(dependencies.context.store)
  }

  /** Resumes sessions of an earlier process: what the server had itself is lost, workstations still have theirs. */
  async resume(now: Date): Promise<void> {
    const { db } = this.#dependencies.context.store
    await strandOwnSessions(db, now)
    for (const row of await sessionsLeft(db)) {
      this.#add(
        new SessionEntry({
          id: row.id,
          hash: row.hash,
          cpf: row.cpf,
          certificateId: row.certificate_id,
          fingerprint: row.fingerprint,
          custody: { kind: 'workstation', workstationId: row.workstation_id! },
          applicationId: row.application_id,
          email: row.email,
          windowSeconds: row.window_seconds,
          createdAt: new Date(row.created_at),
          expiresAt: new Date(row.expires_at),
          signatures: row.signatures,
        }),
      )
    }
  }

  /** Opens a session and replaces the CPF's existing one; its id is returned only here. */
  async open(wanted: NewSession, now: Date): Promise<{ readonly sessionId: string; readonly session: LiveSession }> {
    const sessionId = newSessionId()
    const { rests, origin, ...rest } = wanted
    const entry = new SessionEntry({
      ...rest,
      id: newRowId(now),
      hash: hashOf(sessionId),
      custody: custodyOf(rests),
      key: 'key' in rests ? rests.key : undefined,
      createdAt: now,
      expiresAt: plus(now, wanted.windowSeconds * SECOND),
      signatures: 0,
    })
    await insertSession(this.#dependencies.context.store, rowOf(entry, origin))
    const earlier = this.#byCpf.get(wanted.cpf)
    if (earlier) this.#drop(earlier)
    this.#add(entry)
    return { sessionId, session: entry }
  }

  find(sessionId: string, now: Date): LiveSession | undefined {
    const entry = this.#byHash.get(hashOf(sessionId))
    return entry?.isActive(now) ? entry : undefined
  }

  /** When an inactive session ended; undefined for an unknown id. */
  endedAt(sessionId: string): Promise<Date | undefined> {
    const hash = hashOf(sessionId)
    return sessionEndedAt(this.#dependencies.context.store.db, hash)
  }

  beginSigning(sessionId: string, now: Date): SigningTurn {
    const entry = this.#byHash.get(hashOf(sessionId))
    if (!entry?.isActive(now) || entry.signatures + entry.reserved >= this.#allowance) throw refuse('SESSION_EXPIRED')
    return new SigningCall(entry, this.#dependencies, this)
  }

  async accept(entry: SessionEntry, now: Date): Promise<void> {
    entry.reserved--
    entry.signatures++
    entry.extend(now)
    await this.#uses.write({ id: entry.id, signatures: entry.signatures, expiresAt: entry.expiresAt })
  }

  async endTurn(entry: SessionEntry, accepted: boolean): Promise<void> {
    entry.turns--
    if (!accepted) entry.reserved--
    if (entry.turns === 0 && entry.signatures >= this.#allowance)
      await this.end(entry.id, 'exhausted', this.#dependencies.context.clock())
  }

  async end(id: string, reason: SessionEnd, now: Date): Promise<Date | undefined> {
    const entry = this.#byId.get(id)
    if (!entry?.isActive(now)) return undefined
    await this.#end(entry, reason, now)
    return now
  }

  /** Ends the sessions that use one of the certificates. */
  async endOnCertificates(certificateIds: readonly string[], now: Date): Promise<void> {
    for (const entry of [...this.#byId.values()])
      if (certificateIds.includes(entry.certificateId)) await this.#end(entry, 'certificate-gone', now)
  }

  /** A failing store keeps it from being written, which is done again; it is over here all the same. */
  async lose(entry: SessionEntry, reason: 'stranded' | 'certificate-gone'): Promise<void> {
    if (!entry.ended) await this.#end(entry, reason, this.#dependencies.context.clock()).catch(() => {})
  }

  /** Asks a workstation that has come back about its sessions: another agent process has none of their PINs. */
  async confirmAt(workstationId: string): Promise<void> {
    const { workstations } = this.#dependencies
    const { signal } = new AbortController()
    const isThere = ({ custody }: SessionEntry) =>
      custody.kind === 'workstation' && custody.workstationId === workstationId
    const confirm = async (entry: SessionEntry) => {
      const check = await workstations.checkPin({ workstationId, fingerprint: entry.fingerprint }, signal)
      if (check === 'no-pin') await this.lose(entry, 'stranded')
    }
    await Promise.all([...this.#byId.values()].filter(isThere).map(confirm))
  }

  async refusalOf(sessionId: string): Promise<Refusal> {
    const { db } = this.#dependencies.context.store
    return refuse((await hasLostCertificate(db, hashOf(sessionId))) ? 'CERT_NOT_FOUND' : 'SESSION_EXPIRED')
  }

  /** Ends the sessions whose login at a token is gone. */
  async endLost(now: Date): Promise<void> {
    const lost = [...this.#byId.values()].filter(({ key }) => key instanceof TokenKey && !key.isThere)
    await Promise.all(lost.map((entry) => this.#end(entry, 'stranded', now)))
  }

  /** Ends idle sessions as of the end of their window, and writes ends that could not be written before. */
  async sweep(now: Date): Promise<void> {
    for (const entry of [...this.#byId.values()])
      if (!entry.isActive(now)) await this.#end(entry, 'expired', entry.expiresAt)
    for (const id of [...this.#unwritten.keys()]) await this.#writeEnd(id)
  }

  list(now: Date): readonly LiveSession[] {
    return [...this.#byId.values()].filter((entry) => entry.isActive(now)).reverse()
  }

  /** Wipes every key when the service stops. */
  close(): void {
    for (const { key } of this.#byId.values()) key?.wipe()
  }

  #add(entry: SessionEntry): void {
    this.#byHash.set(entry.hash, entry)
    this.#byId.set(entry.id, entry)
    this.#byCpf.set(entry.cpf, entry)
  }

  /** Removed from memory at once, and its key wiped. */
  #drop(entry: SessionEntry): void {
    entry.ended = true
    entry.key?.wipe()
    this.#byHash.delete(entry.hash)
    this.#byId.delete(entry.id)
    if (this.#byCpf.get(entry.cpf) === entry) this.#byCpf.delete(entry.cpf)
  }

  async #end(entry: SessionEntry, reason: SessionEnd, at: Date): Promise<void> {
    this.#drop(entry)
    this.#unwritten.set(entry.id, { entry, reason, at })
    await this.#writeEnd(entry.id)
  }

  async #writeEnd(id: string): Promise<void> {
    const end = this.#unwritten.get(id)
    if (!end) return
    const { entry, reason } = end
    await endSession(this.#dependencies.context.store.db, id, end)
    if (forgetting.has(reason) && entry.custody.kind === 'workstation')
      await this.#dependencies.workstations.forget(entry.custody.workstationId, entry.fingerprint)
    this.#unwritten.delete(id)
  }
}

const rowOf = (entry: SessionEntry, { address, correlationId }: CallOrigin) => ({
  id: entry.id,
  hash: entry.hash,
  cpf: entry.cpf,
  certificate_id: entry.certificateId,
  custody: entry.custody.kind,
  application_id: entry.applicationId,
  email: entry.email,
  window_seconds: entry.windowSeconds,
  expires_at: entry.expiresAt.toISOString(),
  signatures: entry.signatures,
  created_at: entry.createdAt.toISOString(),
  ended_at: null,
  end_reason: null,
  address,
  correlation_id: correlationId,
})
