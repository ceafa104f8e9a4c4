import { generalizedTime, ia5String, octetString, oid, sequence } from '../../../der/der-writer.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const policies = ['2.16.76.1.7.1.1.2.4', '2.16.76.1.7.1.2.2.4', '2.16.76.1.7.1.11.1.3']
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** Lists of approved policies in both forms, shaped like those that are published. */
export const policyListSeeds = ({ now }: CorpusWorld): Seed[] => [
  seed('DER', derList(now)),
  seed('XML', Buffer.from(xmlList(now))),
]

function derList(now: Date): Buffer {
  const period = sequence(generalizedTime(new Date(0)), generalizedTime(now))
  const infos = policies.map((policy, i) =>
    sequence(
      period,
      i === 1 ? generalizedTime(now) : undefined,
      oid(policy),
      ia5String(`http://politicas.example/${policy}.der`),
      sequence(sequence(oid(SHA_256)), octetString(Buffer.alloc(32, i))),
    ),
  )
  return sequence(sequence(...infos), generalizedTime(now))
}

const xmlList = (now: Date): string => `<?xml version="1.0" encoding="UTF-8"?>
<lpa:ApprovedSignaturePoliciesList xmlns:lpa="http://www.iti.gov.br/LPA/v2#" xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
<lpa:Version>2</lpa:Version>${policies.map((policy) => xmlPolicy(policy, now)).join('\n')}
<lpa:NextUpdate>${now.toISOString()}</lpa:NextUpdate></lpa:ApprovedSignaturePoliciesList>
`

const xmlPolicy = (policy: string, now: Date): string =>
  `<lpa:PolicyInfo><lpa:SigningPeriod><lpa:NotBefore>${new Date(0).toISOString()}</lpa:NotBefore><lpa:NotAfter>${now.toISOString()}</lpa:NotAfter></lpa:SigningPeriod>` +
  `<lpa:PolicyIdentifier><xades:Identifier>urn:oid:${policy}</xades:Identifier></lpa:PolicyIdentifier><lpa:PolicyURI>http://politicas.example/${policy}.xml</lpa:PolicyURI>` +
  `<lpa:PolicyDigest><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>${Buffer.alloc(32, 1).toString('base64')}</ds:DigestValue></lpa:PolicyDigest></lpa:PolicyInfo>`
