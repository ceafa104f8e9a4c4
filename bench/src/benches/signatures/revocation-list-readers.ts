import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Certificate } from '@chancela/signature-engine/x509'

/** A certificate that is on the list, and what its validation needs besides. */
interface ListQuestion {
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** The short lists of the authorities above. */
  readonly otherLists: readonly Buffer[]
  readonly now: Date
}

/** The cost of reading a list. */
export interface ListReading {
  readonly right: boolean
  readonly milliseconds: number
  /** Peak memory in megabytes (of a million bytes) beyond that before the reading. */
  readonly extraMb: number
}

/** Loads a reader, which returns whether its result is right: the certificate is revoked, the list is genuine. */
type PrepareReader = (question: ListQuestion) => Promise<(list: Buffer) => boolean | Promise<boolean>>

/** All readers of the list; code is loaded on demand, so that none carries another's memory. */
export const listReaders: Readonly<Record<string, PrepareReader>> = {
  'SHA-256 of the bytes': async () => {
    const { hash } = await import('node:crypto')
    return (list) => hash('sha256', list, 'buffer').length === 32
  },
  'read, verified, indexed, asked': async ({ certificate, chain, otherLists, now }) => {
    const { createJudge, TrustAnchors } = await import('@chancela/signature-engine/judgement')
    const judge = createJudge({ anchors: TrustAnchors.of(chain.slice(-1)) })
    return async (list) => {
      const evidence = { crls: [list, ...otherLists], ocsps: [] }
      const { reasons } = await judge.certificate(certificate, { at: now, now, certificates: chain, evidence })
      return reasons.some(({ code }) => code === 'revocation.revoked')
    }
  },
  'openssl crl, a process': async ({ chain }) => {
    const { openssl } = await import('@chancela/testkit/tools')
    const { toPem } = await import('@chancela/signature-engine/der')
    const issuer = join(mkdtempSync(join(tmpdir(), 'chancela-bench-')), 'issuer.pem')
    writeFileSync(issuer, toPem('CERTIFICATE', chain[0]!.der))
    return async (list) => {
      const { text } = await openssl(['crl', '-inform', 'DER', '-noout', '-CAfile', issuer], { input: list })
      rmSync(dirname(issuer), { recursive: true })
      return text.includes('verify OK')
    }
  },
}
