import { membersOf } from '../../../der/der-value.ts'
import { exchangeOverHttp } from '../../../http/exchange.ts'
import { ocspRequest } from '../../../revocation/ocsp-request.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Lists with and without entries, one of them revoking the holder that every case asks for. */
export async function listSeeds({ pki }: CorpusWorld): Promise<Seed[]> {
  const authorities = pki.authorities().filter(({ label }) => label !== 'bulky')
  const lists = await Promise.all(
    authorities.map(async (authority) => [authority.label, await pki.revocationList(authority)] as const),
  )
  return lists.map(([label, { der }]) => seed(label, der, { signedParts: [membersOf(der)[0]!] }))
}

/** OCSP answers: good, revoked, unknown. */
export async function ocspSeeds({ pki, demo }: CorpusWorld): Promise<Seed[]> {
  const issuer = Certificate.read(pki.certificate('level-2').der)
  const labels = ['ana-souza', 'revoked', 'davi-moreira']
  return Promise.all(
    labels.map(async (label) => {
      const { der } = ocspRequest(Certificate.read(pki.certificate(label).der), issuer)
      const answer = await exchangeOverHttp({
        url: `${demo.baseUrl}/ocsp`,
        method: 'POST',
        headers: { 'content-type': 'application/ocsp-request' },
        body: der,
        maxBytes: 100_000,
        timeoutMs: 10_000,
      })
      return seed(label, answer.body)
    }),
  )
}
