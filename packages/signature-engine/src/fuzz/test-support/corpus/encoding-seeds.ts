import { signXades } from '../../../xades/sign-xades.ts'
import { type TestEncoding, testEncodings } from '../../../xades/test-support/encoded.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Documents in each encoding, whose signed sentence has letters of it alone; in UTF-8, what the signature covers. */
export const encodingSeeds = ({ ec, now }: CorpusWorld): Promise<Seed[]> =>
  Promise.all(
    (Object.keys(testEncodings) as TestEncoding[]).map(async (name) => {
      const { declared, letters, write } = testEncodings[name]
      const sentence = `O total soma mil reais ${letters}.`
      const text = `<?xml version="1.0" encoding="${declared}"?>\n<contrato><texto>${sentence}</texto></contrato>`
      return seed(name, await signXades(write(text), ec, { now }), { signedParts: [Buffer.from(sentence)] })
    }),
  )
