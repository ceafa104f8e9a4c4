import { membersOf } from '../../../der/der-value.ts'
import { toPem } from '../../../der/pem.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Certificates of every profile: authorities, people, companies, equipment, services, odd inner types. */
export const certificateSeeds = ({ pki }: CorpusWorld): Seed[] =>
  // What a certificate's issuer signed is its first member.
  pki.certificates().map(({ label, der }) => seed(label, der, { signedParts: [membersOf(der)[0]!] }))

/** Any DER, BER and PEM. */
export const derSeeds = (world: CorpusWorld): Seed[] => {
  const [holder] = world.pki.chainOf(world.pki.certificate('ana-souza'))
  return [
    seed('certificate', holder!.der),
    seed('certificate as PEM', Buffer.from(toPem('CERTIFICATE', holder!.der))),
    seed('certificate as bare base64', Buffer.from(holder!.der.toString('base64'))),
    seed('BER with indefinite lengths and strings in pieces', indefinite),
    seed('every kind of value', everyKind),
  ]
}

const indefinite = Buffer.from('3080020101a0803080240480040061000004016204000000000000', 'hex')

const everyKind = Buffer.from(
  '3055010100020200ff0303054020040361626305000603550403' +
    '0a01020c03c3a3611303616263170d3236303130313030303030305a180f32303530303130313030303030305a1e0400610062' +
    'a003020103810161310602010102010231003000',
  'hex',
)
