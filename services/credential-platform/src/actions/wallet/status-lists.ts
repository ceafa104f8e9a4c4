// Status lists of an institution: which of its credentials are annulled or suspended (Bitstring Status List v1.0).
import { hash } from 'node:crypto'
import { type StatusPurpose, statusListCredential } from '@chancela/academic-documents/wallet'
import { HOUR } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { refuse } from '../../rules/refuse.ts'
import { listWindow } from '../../rules/status-list-window.ts'
import { hasList, setPositions } from '../../store/wallet-entries.ts'
import { statusListUrl, type Wallets } from './wallet-credentials.ts'

/** A list as it is served. */
export interface ServedList {
  readonly token: string
  readonly etag: string
}

const REMEMBERED = 200

export class StatusLists {
  readonly #wallets: Wallets
  readonly #signed = new LruCache<string, string>(REMEMBERED)

  constructor(wallets: Wallets) {
    this.#wallets = wallets
  }

  /** Read at each call, signed when something changed or the window is another. */
  async list(instituteId: string, purpose: StatusPurpose, number: number, now: Date): Promise<ServedList> {
    const { context, issuerKeys } = this.#wallets
    const { db } = context.store
    const issuer = await issuerKeys.known(instituteId)
    if (!issuer || !(await hasList(db, instituteId, number))) throw refuse('status-list-not-found')
    const id = statusListUrl(issuer, purpose, number)
    const indexes = await setPositions(db, instituteId, number, purpose)
    const key = await issuerKeys.current(issuer, now)
    const window = listWindow(now, context.settings.Wallet.StatusListHours * HOUR)
    const state = hash('sha256', JSON.stringify([id, key.id, window, indexes]), 'base64url')
    const token =
      this.#signed.get(state) ??
      issuerKeys.sign(statusListCredential({ id, issuer: issuer.did, purpose, indexes, ...window }), issuer, key)
    this.#signed.set(state, token)
    // Weak: another process signs the same list with other bytes.
    return { token, etag: `W/"${state}"` }
  }
}
