import type { KeyObject } from 'node:crypto'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { DemoPki } from '@chancela/testkit/demo-pki'

/** Someone who signs. */
export interface Holder {
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly privateKey: KeyObject
  /** The same as a PKCS#12 file, for contestants that want one. */
  readonly pkcs12: Buffer
}

/** Everything that contestants sign with and are judged by; the network is that of the demo PKI. */
export interface SigningWorld {
  /** The moment of all signatures and judgements: revocation data stays fresh however long a run takes. */
  readonly now: Date
  readonly pki: DemoPki
  readonly root: Certificate
  /** Trusts the root, asks the network for revocation, and remembers the answers. */
  readonly judge: Judge
  /** With an RSA-2048 key, as nearly everybody in ICP-Brasil. */
  readonly rsa: Holder
  /** With a P-256 key. */
  readonly ec: Holder
  /** Ends the network: from here on only what is cached is known. */
  goOffline(): Promise<void>
}

export const PKCS12_PASSWORD = 'senha-do-cofre'
