import { readSignedData } from '../../../cms/signed-data.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** What the tokens of the corpus stamp. */
export const stamped = Buffer.from('stamped')

/** Tokens with either digest. */
export async function timestampSeeds({ timestamps }: CorpusWorld): Promise<Seed[]> {
  const digests = ['sha256', 'sha512'] as const
  return Promise.all(
    digests.map(async (digest) => {
      const { token } = await timestamps.stamp(stamped, { digest })
      const { content } = readSignedData(token)
      return seed(digest, token, { signedParts: [content!] })
    }),
  )
}
