import { trustedListXml } from '../../../trusted-lists/test-support/trusted-list-xml.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { signXades } from '../../../xades/sign-xades.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** A list with a service that was granted and withdrawn, and a pointer to another list. */
export async function trustedListSeeds({ pki, ec, now }: CorpusWorld): Promise<Seed[]> {
  const certificates = [Certificate.read(pki.certificate('level-2').der)]
  const list = trustedListXml({
    services: [
      {
        name: 'Service',
        statuses: [
          { status: 'withdrawn', from: '2024-01-01T00:00:00Z', certificates },
          { status: 'granted', from: '2020-01-01T00:00:00Z', usages: ['ForeSignatures'], certificates },
        ],
      },
    ],
    pointers: [{ location: 'https://lists.example/', signers: certificates }],
  })
  return [seed('list', await signXades(list, ec, { now }), { beside: { signer: ec.certificate.der } })]
}
