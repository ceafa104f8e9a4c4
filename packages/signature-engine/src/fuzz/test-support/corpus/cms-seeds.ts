import { signCadesStream } from '../../../cades/cades-stream.ts'
import { coSignCades, counterSignCades, signCades } from '../../../cades/sign-cades.ts'
import { readSignedData } from '../../../cms/signed-data.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

const content = Buffer.from('Contrato de prestação de serviços, em duas vias de igual teor.\n'.repeat(8))
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const

/** Signatures with their content: every level, both kinds of key, several signers, PEM. */
export async function attachedSeeds({ rsa, ec, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const options = { now, timestamps, judge }
  const byLevel = levels.map(async (level) => attached(level, await signCades(content, ec, { ...options, level })))
  const one = await signCades(content, rsa, { now })
  const two = await coSignCades(one, ec, { now })
  return [
    ...(await Promise.all(byLevel)),
    attached('RSA', one),
    // Nothing protects the number of signers: without one of them, the other's signature holds (openssl says so, too).
    seed('co-signed', two, { signedParts: [content] }),
    attached('counter-signed', await counterSignCades(one, ec, { now })),
    seed('PEM', await signCades(content, ec, { now, encoding: 'PEM' })),
  ]
}

/** The same as they come from a stream: DER, and BER with indefinite lengths and the content in pieces. */
export async function streamSeeds(world: CorpusWorld): Promise<Seed[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of signCadesStream(pieces(), world.ec, { now: world.now })) chunks.push(chunk)
  const inPieces = Buffer.concat(chunks)
  const whole = (await attachedSeeds(world)).filter(({ name }) => name !== 'PEM')
  return [...whole, seed('BER', inPieces, { signedParts: signedIn(inPieces) })]
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 100) yield content.subarray(at, at + 100)
}

/** Detached signatures: the signature is mutated. */
export async function detachedSeeds({ ec, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const options = { now, timestamps, judge, packaging: 'detached' } as const
  return Promise.all(
    (['B-B', 'B-LTA'] as const).map(async (level) => {
      const cms = await signCades(content, ec, { ...options, level })
      return seed(level, cms, { signedParts: signedIn(cms), beside: { content } })
    }),
  )
}

/** The same, but the content is mutated. */
export async function contentSeeds(world: CorpusWorld): Promise<Seed[]> {
  const signatures = await detachedSeeds(world)
  return signatures.map(({ name, bytes }) =>
    seed(name, content, { signedParts: [content], beside: { signature: bytes } }),
  )
}

const attached = (name: string, cms: Buffer): Seed => seed(name, cms, { signedParts: [content, ...signedIn(cms)] })

/** What every signer's key signs: its attributes (whose tag differs inside the CMS) and their signature. */
const signedIn = (cms: Buffer): Buffer[] =>
  readSignedData(cms).signers.flatMap(({ toBeSigned, signature }) => [toBeSigned!.subarray(1), signature])
