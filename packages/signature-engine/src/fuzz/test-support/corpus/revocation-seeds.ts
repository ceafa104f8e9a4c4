import { membersOf } from '../../../der/der-value.ts'
import { exchangeOverHttp } from '../../../http/exchange.ts'
import { basicOcspResponse } from '../../../revocation/ocsp.ts'
import { ocspRequest } from '../../../revocation/ocsp-request.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { type Seed, seed } from '../seed.ts'
import { type CorpusWorld, HOLDER, ISSUER } from './world.ts'

/** Lists with and without entries, one of them revoking the holder that every case asks for. */
export async function listSeeds({ pki }: CorpusWorld): Promise<Seed[]> {
  const authorities = pki.authorities().filter(({ label }) => label !== 'bulky')
  const lists = await Promise.all(
    authorities.map(async (authority) => [authority.label, await pki.revocationList(authority)] as const),
  )
  // No list but that of its issuer tells of the holder.
  return lists.map(([label, { der }]) =>
    seed(label, der, { signedParts: label === ISSUER ? [membersOf(der)[0]!] : [] }),
  )
}

/** OCSP answers: good, revoked, unknown. */
export async function ocspSeeds({ pki, demo }: CorpusWorld): Promise<Seed[]> {
  const issuer = Certificate.read(pki.certificate(ISSUER).der)
  const labels = [HOLDER, 'revoked', 'davi-moreira']
  return Promise.all(
    labels.map(async (label) => {
      const { der } = ocspRequest(Certificate.read(pki.certificate(label).der), issuer)
      const answer = await exchangeOverHttp({
        url: `${demo.baseUrl}/ocsp`,
        method: 'POST',
        headers: { 'content-type': 'application/ocsp-request' },
        body: der,
        maxBytes: 100_000,
        timeoutMs: 60_000,
      })
      // ResponseData: what the responder signed.
      const [signed] = membersOf(basicOcspResponse(answer.body))
      return seed(label, answer.body, { signedParts: label === HOLDER ? [signed!] : [] })
    }),
  )
}
