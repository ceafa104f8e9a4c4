import type { TokenKey } from '../tokens/token-key.ts'
import type { VaultKey } from '../vault/vault-key.ts'
import type { Custody, LiveSession } from './live-session.ts'

/** A live session in memory. There may be ten thousand of them: it holds numbers and strings, no parsed objects. */
export class SessionEntry implements LiveSession {
  readonly id: string
  readonly hash: string
  readonly cpf: string
  readonly certificateId: string
  readonly fingerprint: string
  readonly custody: Custody
  readonly applicationId: string
  readonly email: string | null
  readonly windowSeconds: number
  /** Of a certificate that the server has itself. */
  readonly key: VaultKey | TokenKey | undefined
  signatures: number
  /** Signing calls under way. */
  turns = 0
  /** Running calls not accepted yet: each reserves one of the allowance. */
  reserved = 0
  ended = false
  readonly #createdAt: number
  #expiresAt: number

  constructor(session: LiveSession & { readonly hash: string; readonly key?: VaultKey | TokenKey | undefined }) {
    this.id = session.id
    this.hash = session.hash
    this.cpf = session.cpf
    this.certificateId = session.certificateId
    this.fingerprint = session.fingerprint
    this.custody = session.custody
    this.applicationId = session.applicationId
    this.email = session.email
    this.windowSeconds = session.windowSeconds
    this.signatures = session.signatures
    this.key = session.key
    this.#createdAt = session.createdAt.getTime()
    this.#expiresAt = session.expiresAt.getTime()
  }

  get createdAt(): Date {
    return new Date(this.#createdAt)
  }

  get expiresAt(): Date {
    return new Date(this.#expiresAt)
  }

  /** A session does not expire during a call that started inside its window. */
  isActive(now: Date): boolean {
    return !this.ended && (this.turns > 0 || now.getTime() < this.#expiresAt)
  }

  /** Restarts the idle window. */
  extend(now: Date): void {
    this.#expiresAt = now.getTime() + this.windowSeconds * 1000
  }
}
