import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { signCades } from '../../../cades/sign-cades.ts'
import { readSignedData } from '../../../cms/signed-data.ts'
import { holderWith } from '../../../cms/test-support/demo-signers.ts'
import { toPem } from '../../../der/pem.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const content = Buffer.from('Distrato de prestação de serviços, em duas vias de igual teor.\n')

/** Signatures whose algorithm has parameters: keys for PSS alone, and a plain RSA key that openssl uses with PSS. */
export async function algorithmSeeds(world: CorpusWorld): Promise<Seed[]> {
  const { demo, pki, now } = world
  const bound = demo.signerOf(await holderWith(pki, 'RSA-PSS-SHA384'))
  const free = demo.signerOf(await holderWith(pki, 'RSA-PSS'))
  return [
    withParameters('key for PSS', await signCades(content, free, { now })),
    withParameters('key bound to SHA-384', await signCades(content, bound, { now, digest: 'sha384' })),
    withParameters('salt of 32', await signedByOpenssl(world, 'rsa_pss_saltlen:32')),
    withParameters('mask with SHA-1', await signedByOpenssl(world, 'rsa_mgf1_md:sha1', 'rsa_pss_saltlen:20')),
  ]
}

async function signedByOpenssl({ demo, pki }: CorpusWorld, ...options: readonly string[]): Promise<Buffer> {
  const issued = await holderWith(pki, 'RSA-2048')
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'content'), content)
  writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(folder, 'certificate.pem'), toPem('CERTIFICATE', issued.der))
  const chain = demo.signerOf(issued).chain.map(({ der }) => toPem('CERTIFICATE', der))
  writeFileSync(join(folder, 'chain.pem'), chain.join(''))
  const pss = ['rsa_padding_mode:pss', ...options].flatMap((option) => ['-keyopt', option])
  const args = ['cms', '-sign', '-cades', '-binary', '-nodetach', '-md', 'sha256', '-in', 'content']
  const signer = ['-signer', 'certificate.pem', '-inkey', 'key.pem', '-certfile', 'chain.pem']
  const { ok, text } = await openssl([...args, ...signer, ...pss, '-outform', 'DER', '-out', 'signed'], { folder })
  if (!ok) throw new Error(text)
  return readFileSync(join(folder, 'signed'))
}

/** What is signed, and by which algorithm, parameters included. */
function withParameters(name: string, cms: Buffer): Seed {
  const { toBeSigned, signature, signatureAlgorithm } = readSignedData(cms).signers[0]!
  return seed(name, cms, {
    signedParts: [content, toBeSigned!.subarray(1), signature],
    beside: { algorithm: Buffer.from(signatureAlgorithm!.name) },
  })
}
