import { addAsicSignature, extendAsic, signAsic, timestampAsic } from '../../../asic/index.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

// Short enough to be stored: the signed bytes are then in the container as they are.
const file = { name: 'contrato.txt', content: Buffer.from('O valor total soma mil reais') }
const other = { name: 'anexos/lista.csv', content: Buffer.from('nome;valor') }
const [one, both] = [[file], [file, other]]
const signedParts = [file.content]
const allParts = [file.content, other.content]

/** Both forms, both kinds of signatures, a timestamp alone, levels, and a second signature. */
export async function asicSeeds({ ec, rsa, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const options = { now, timestamps, judge }
  const first = await signAsic(both, rsa, options)
  const archived = await extendAsic(first, { ...options, level: 'B-LTA' })
  return [
    seed('ASiC-S, CAdES', await signAsic(one, ec, options), { signedParts }),
    seed('ASiC-S, XAdES', await signAsic(one, rsa, { ...options, signature: 'XAdES', level: 'B-T' }), { signedParts }),
    seed('ASiC-S, timestamp', await timestampAsic(one, { now, timestamps }), { signedParts }),
    seed('ASiC-E, CAdES', first, { signedParts: allParts }),
    seed('ASiC-E, XAdES', await signAsic(both, ec, { ...options, signature: 'XAdES' }), { signedParts: allParts }),
    seed('ASiC-E, timestamp', await timestampAsic(both, { now, timestamps }), { signedParts: allParts }),
    seed('two signatures', await addAsicSignature(first, ec, options), { signedParts: allParts }),
    seed('B-LT', await extendAsic(first, { ...options, level: 'B-LT' }), { signedParts: allParts }),
    seed('B-LTA, renewed', await extendAsic(archived, { ...options, level: 'B-LTA' }), { signedParts: allParts }),
  ]
}
