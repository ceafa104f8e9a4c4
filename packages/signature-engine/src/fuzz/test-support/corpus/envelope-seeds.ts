import { encryptTo } from '../../../envelope/encrypt.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** The content of the envelopes. */
export const sealedContent = Buffer.from('Minuta confidencial.\n'.repeat(40))

/** To RSA and to elliptic curves, to both, in DER and in pieces. Authenticated as a whole: every byte of content counts. */
export async function envelopeSeeds({ rsa, ec, now }: CorpusWorld): Promise<Seed[]> {
  const [anna, davi] = [rsa.certificate, ec.certificate]
  const size = sealedContent.length
  const sealed = [
    ['RSA-OAEP', [anna], { now, size }],
    ['RSA PKCS#1', [anna], { now, size, rsaPadding: 'pkcs1v15' }],
    ['two recipients', [davi, anna], { now, size }],
    ['in pieces', [anna], { now }],
  ] as const
  return Promise.all(
    sealed.map(async ([name, recipients, options]) => {
      const written: Buffer[] = []
      for await (const piece of encryptTo(recipients, pieces(), options).bytes) written.push(piece)
      return seed(name, Buffer.concat(written))
    }),
  )
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sealedContent.length; at += 100) yield sealedContent.subarray(at, at + 100)
}
