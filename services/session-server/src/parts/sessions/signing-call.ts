import { SECOND } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import { isDigestSignedBy, signDigest } from '@chancela/signature-engine/keys'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Certificates } from '../certificates/certificates.ts'
import { signingCertificate } from '../certificates/signing-certificate.ts'
import { TokenKey } from '../tokens/token-key.ts'
import { VaultKey } from '../vault/vault-key.ts'
import { type HeldAt, type PinCheck, WorkstationSignProblem, type Workstations } from '../workstations/workstations.ts'
import type { DigestAlgorithm, SigningCertificate, SigningTurn } from './live-session.ts'
import type { SessionEntry } from './session-entry.ts'

/** What a signing call changes in the table of sessions. */
export interface TurnKeeper {
  accept(entry: SessionEntry, now: Date): Promise<void>
  /** The session can sign no more: what it rested on is gone. */
  lose(entry: SessionEntry, reason: 'stranded' | 'certificate-gone'): Promise<void>
  /** `accepted` tells whether the call counted or returned its reservation. */
  endTurn(entry: SessionEntry, accepted: boolean): Promise<void>
}

export interface SigningDependencies {
  readonly context: Pick<Context, 'store' | 'clock' | 'settings'>
  readonly certificates: Certificates
  readonly workstations: Workstations
}

const digestNames = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

/** One signing call under a session. */
export class SigningCall implements SigningTurn {
  readonly session: SessionEntry
  readonly #dependencies: SigningDependencies
  readonly #keeper: TurnKeeper
  #certificate: Promise<SigningCertificate> | undefined
  #accepted: Promise<void> | undefined
  #over = false

  constructor(session: SessionEntry, dependencies: SigningDependencies, keeper: TurnKeeper) {
    this.session = session
    this.#dependencies = dependencies
    this.#keeper = keeper
    session.turns++
    session.reserved++
  }

  certificate(): Promise<SigningCertificate> {
    const { context, certificates } = this.#dependencies
    this.#certificate ??= signingCertificate(context, certificates, this.session, context.clock()).catch(
      async (error) => {
        if (error instanceof Refusal && error.code === 'CERT_NOT_FOUND')
          await this.#keeper.lose(this.session, 'certificate-gone')
        throw error
      },
    )
    return this.#certificate
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { custody, fingerprint } = this.session
    if (custody.kind === 'token') return this.#requireToken()
    if (custody.kind === 'vault') return
    const check = await this.#pinCheck({ workstationId: custody.workstationId, fingerprint }, signal)
    signal.throwIfAborted()
    if (check === 'in-use') return
    if (check !== 'no-pin') throw refuse('WORKSTATION_OFFLINE')
    await this.#keeper.lose(this.session, 'stranded')
    throw refuse('SESSION_EXPIRED')
  }

  /** Waits within the grace for a workstation that is away. One that is connected and silent is not waited for again. */
  async #pinCheck(held: HeldAt, signal: AbortSignal): Promise<PinCheck> {
    const { context, workstations } = this.#dependencies
    const grace = context.settings.Signing.ReconnectGraceSeconds * SECOND
    const until = AbortSignal.any([signal, AbortSignal.timeout(grace)])
    while (await workstations.untilOnline(held.workstationId, grace, until)) {
      const check = await workstations.checkPin(held, signal)
      if (check !== 'lost' || until.aborted) return check
    }
    return 'lost'
  }

  async sign(digest: Uint8Array, algorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array> {
    const { certificate } = await this.certificate()
    signal.throwIfAborted()
    const signature = await this.#signature(digest, algorithm, signal)
    // A wrong signature made here would reveal the key (a computation fault), and one from elsewhere is untrusted.
    if (isDigestSignedBy(certificate, digestNames[algorithm], digest, signature)) return signature
    throw new WorkstationSignProblem('failed', 'What was answered is no signature of the certificate.')
  }

  /** No document leaves for a token that is gone. Whoever finds it gone has ended the session. */
  async #requireToken(): Promise<void> {
    const { key } = this.session
    if (!(key instanceof TokenKey) || !(await key.check())) throw refuse('SESSION_EXPIRED')
  }

  async #tokenSignature(digest: Uint8Array, algorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array> {
    const { key } = this.session
    const signature = key instanceof TokenKey ? await key.sign(digest, algorithm, signal) : undefined
    if (!signature) throw refuse('SESSION_EXPIRED')
    return signature
  }

  async #signature(digest: Uint8Array, digestAlgorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array> {
    const { custody, key, ended } = this.session
    if (ended) throw refuse('SESSION_EXPIRED')
    switch (custody.kind) {
      case 'vault': {
        const ready = key instanceof VaultKey ? key.ready() : undefined
        if (!ready) throw refuse('SESSION_EXPIRED')
        return signDigest(ready, digestNames[digestAlgorithm], digest)
      }
      case 'token':
        return this.#tokenSignature(digest, digestAlgorithm, signal)
      case 'workstation':
        return this.#signedAt(custody.workstationId, digest, digestAlgorithm, signal)
    }
  }

  async #signedAt(
    workstationId: string,
    digest: Uint8Array,
    digestAlgorithm: DigestAlgorithm,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { fingerprint } = this.session
    try {
      return await this.#dependencies.workstations.sign({ workstationId, fingerprint, digest, digestAlgorithm }, signal)
    } catch (error) {
      if (error instanceof WorkstationSignProblem && error.isForGood) await this.#keeper.lose(this.session, 'stranded')
      throw error
    }
  }

  accept(now: Date): Promise<void> {
    this.#accepted ??= this.#keeper.accept(this.session, now)
    return this.#accepted
  }

  async end(): Promise<void> {
    if (this.#over) return
    this.#over = true
    await this.#keeper.endTurn(this.session, this.#accepted !== undefined)
  }
}
