import type { KeyObject } from 'node:crypto'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { DemoPki } from '@chancela/testkit/demo-pki'

/** Someone who signs. */
export interface Holder {
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly privateKey: KeyObject
  /** The same as a PKCS#12 file, for contestants that need one. */
  readonly pkcs12: Buffer
}

/** What contestants sign with and are validated by; the network is that of the demo PKI. */
export interface SigningWorld {
  /** The time of all signatures and validations: revocation data stays fresh however long a run takes. */
  readonly now: Date
  readonly pki: DemoPki
  readonly root: Certificate
  /** Trusts the root, queries the network for revocation, and caches the answers. */
  readonly judge: Judge
  /** With an RSA-2048 key, as nearly everybody in ICP-Brasil. */
  readonly rsa: Holder
  /** With a P-256 key. */
  readonly ec: Holder
  /** Shuts the network down: from here on only cached answers are available. */
  goOffline(): Promise<void>
}

export const PKCS12_PASSWORD = 'senha-do-cofre'
