import { signCades } from '../../../cades/sign-cades.ts'
import { generalPolicy, icpBrasilPolicy } from '../../../validation-policy/validation-policy.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const content = Buffer.from('Ata da assembleia geral ordinária')

/** Policies as they are edited, each beside a signature that is broken in another way: no policy saves it. */
export async function validationPolicySeeds({ ec, rsa, now }: CorpusWorld): Promise<Seed[]> {
  const [one, two] = await Promise.all([signCades(content, ec, { now }), signCades(content, rsa, { now })])
  const policies = [
    { name: 'house', algorithms: ['RSA'], findings: { 'not-der': 'error', 'key-too-short': 'ignored' } },
    { name: 'old', digests: { sha1: null, sha256: '2099-01-01' }, keys: { rsa: [{ bits: 512, until: null }] } },
    { ...generalPolicy, findings: { 'certificate-not-trusted': 'ignored', 'algorithm-weak': 'warning' } },
    { ...icpBrasilPolicy, revocation: { maximumAgeHours: 1 }, timestamps: { required: true } },
  ]
  return policies.flatMap((policy, at) =>
    [changedContent(one), changedValue(two)].map((broken, how) =>
      seed(`${at}, ${how}`, Buffer.from(JSON.stringify(policy)), { beside: { broken } }),
    ),
  )
}

function changedContent(cms: Buffer): Buffer {
  const changed = Buffer.from(cms)
  changed[cms.indexOf(content)]! ^= 1
  return changed
}

/** The value of the signature stands last. */
function changedValue(cms: Buffer): Buffer {
  const changed = Buffer.from(cms)
  changed[cms.length - 9]! ^= 1
  return changed
}
