// Keys with which institutions sign credentials for wallets: made when they are first needed, sealed in the store.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { promisify } from 'node:util'
import { type Credential, completeToken, didOf, keyIdOf, prepareToken } from '@chancela/academic-documents/wallet'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { CheckResult } from '@chancela/service-kernel/health'
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { Tables } from '../../store/tables.ts'
import {
  currentWalletKey,
  findIssuerAddress,
  insertWalletKey,
  issuerAddress,
  retireWalletKey,
  walletKeyContext,
} from '../../store/wallet-keys.ts'
import type { WalletKeyRow } from '../../store/wallet-tables.ts'

const REMEMBERED = 1000

/** An institution as a signer of credentials. */
export interface Issuer {
  readonly instituteId: string
  /** What its identifier is made from; its lists lie below. */
  readonly address: string
  readonly did: string
}

/** Below the address of the institution, which leads to this service; several institutions may share one. */
const issuerAt = (instituteId: string, address: string): Issuer => {
  const own = `${address}/issuers/${instituteId}`
  return { instituteId, address: own, did: didOf(own) }
}

export const publicKeyOf = ({ public_key }: Pick<WalletKeyRow, 'public_key'>): KeyObject =>
  createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })

export class IssuerKeys {
  readonly #context: Context
  readonly #opened = new LruCache<string, KeyObject>(REMEMBERED)

  constructor(context: Context) {
    this.#context = context
  }

  /** An institution that has begun to sign; undefined of others. */
  async known(instituteId: string): Promise<Issuer | undefined> {
    const address = await findIssuerAddress(this.#context.store.db, instituteId)
    return address === undefined ? undefined : issuerAt(instituteId, address)
  }

  /** The institution as it signs, from now on under this address. */
  async issuer(institute: { readonly id: string; readonly public_url: string }, now: Date): Promise<Issuer> {
    return issuerAt(institute.id, await issuerAddress(this.#context.store.db, institute, now))
  }

  /** The key that signs now, made where there is none. */
  async current(issuer: Issuer, now: Date): Promise<WalletKeyRow> {
    const { store } = this.#context
    const known = await currentWalletKey(store.db, issuer.instituteId)
    if (known) return known
    const row = await this.newKey(issuer, now)
    try {
      await store.transaction((tx) => insertWalletKey(tx, row))
      return row
    } catch (error) {
      // Another process made one at the same moment.
      if (!isUniqueViolation(error)) throw error
      return this.current(issuer, now)
    }
  }

  /** A key that is nobody's yet; made before the transaction that inserts it, for it takes time. */
  async newKey({ instituteId, address }: Issuer, now: Date): Promise<WalletKeyRow> {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
    const id = keyIdOf(address, publicKey).split('#')[1]!
    const own = { id, institute_id: instituteId }
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    return {
      ...own,
      public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      sealed_key: this.#context.secrets.seal(pkcs8, walletKeyContext(own)),
      created_at: now.toISOString(),
      retired_at: null,
      revoked_at: null,
    }
  }

  /** From now on this key signs; what the one before signed still holds. */
  async rotate(tx: Db<Tables>, row: WalletKeyRow, now: Date): Promise<void> {
    await retireWalletKey(tx, row.institute_id, now)
    await insertWalletKey(tx, row)
  }

  /** A credential as a token, signed by a key of the institution. */
  sign(credential: Credential, { address }: Issuer, row: WalletKeyRow): string {
    const key = this.#open(row)
    const publicKey = createPublicKey(key)
    const prepared = prepareToken(credential, address, publicKey)
    return completeToken(prepared, sign('sha256', Buffer.from(prepared.signingInput), key), publicKey)
  }

  /** Whether the key signs what its public half verifies; throws where it does not open. */
  tried(row: WalletKeyRow): CheckResult {
    const probe = randomBytes(32)
    const isGood = verify('sha256', probe, publicKeyOf(row), sign('sha256', probe, this.#open(row)))
    return { ok: isGood, detail: isGood ? 'It signs.' : 'It signs, but its public key does not verify that.' }
  }

  #open(row: WalletKeyRow): KeyObject {
    const known = this.#opened.get(row.id)
    if (known) return known
    const pkcs8 = this.#context.secrets.openText(row.sealed_key, walletKeyContext(row))
    const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })
    this.#opened.set(row.id, key)
    return key
  }
}
