import { addresses, type DemoPki } from '@chancela/testkit/demo-pki'
import type { DemoSigners } from '../../../cms/test-support/demo-signers.ts'
import { exchangeOverHttp } from '../../../http/exchange.ts'
import { createJudge, type Judge } from '../../../judgement/judge-certificate.ts'
import type { DigestSigner } from '../../../keys/digest-signer.ts'
import { RevocationSource } from '../../../revocation/revocation-source.ts'
import { createTimestampClient, type TimestampClient } from '../../../timestamps/timestamp-client.ts'
import { TrustAnchors } from '../../../trust/trust-anchors.ts'
import type { Recording } from '../seed.ts'

/** What the valid files are made with. */
export interface CorpusWorld {
  readonly demo: DemoSigners
  readonly pki: DemoPki
  readonly now: Date
  readonly rsa: DigestSigner
  readonly ec: DigestSigner
  /** For levels above the basic one. */
  readonly timestamps: TimestampClient
  readonly judge: Judge
}

/** Whom the seeds of evidence are about. */
export const HOLDER = 'ana-souza'
export const ISSUER = 'level-2'

export const openWorld = (demo: DemoSigners): CorpusWorld => ({
  demo,
  pki: demo.pki,
  now: new Date(),
  rsa: demo.signerOf(demo.pki.certificate(HOLDER)),
  ec: demo.signerOf(demo.pki.certificate('davi-moreira')),
  timestamps: createTimestampClient({ authorities: [{ url: addresses(demo.baseUrl).timeStamps }] }),
  judge: createJudge({
    anchors: TrustAnchors.of([demo.root]),
    revocation: new RevocationSource(),
    exchange: exchangeOverHttp,
  }),
})

/** Records everything the judges need: from here on the demo PKI is not queried. */
export async function recordWorld({ pki, timestamps }: CorpusWorld): Promise<Recording> {
  const { revocationLists, issuerCertificates } = addresses(pki.baseUrl)
  const answers = new Map<string, Buffer>()
  for (const authority of pki.authorities().filter(({ label }) => label !== 'bulky')) {
    const { der } = await pki.revocationList(authority)
    for (const url of revocationLists(authority.label)) answers.set(url, der)
    for (const url of issuerCertificates(authority.label)) answers.set(url, authority.der)
  }
  const { token } = await timestamps.stamp(Buffer.from('any'))
  const { der, key } = pki.certificate(HOLDER)
  return {
    // After the last timestamp of the corpus.
    now: new Date(),
    anchor: pki.certificate('root').der,
    issuer: pki.certificate(ISSUER).der,
    holder: { certificate: der, privateKey: key.privateKey.export({ type: 'pkcs8', format: 'der' }) },
    token,
    answers,
  }
}
