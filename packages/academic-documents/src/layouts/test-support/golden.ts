// Verdicts of xmllint with the published schemas on the first mutants of each sample, so that every run of the tests is
// held to them. `npm run prove:published` compares them with xmllint again.
import type { DocumentKind } from '../kinds.ts'
import { allSamples, signedBytesOf } from './all-samples.ts'
import { type Mutant, mutantOf } from './mutants.ts'
import { Seeded } from './seeded.ts'

const PER_SAMPLE = 12
const SEED = 18

export interface GoldenGroup {
  readonly name: string
  readonly kind: DocumentKind
  readonly mutants: readonly Mutant[]
}

export const goldenMutants = (): readonly GoldenGroup[] =>
  allSamples.map((sample) => {
    const random = new Seeded(SEED)
    const signed = signedBytesOf(sample)
    const mutants = Array.from({ length: PER_SAMPLE }, () => mutantOf(signed, random))
    return { name: sample.name, kind: sample.kind, mutants }
  })

/** 1 for valid, in the order of the samples. */
export const goldenVerdicts = [
  '000110000000011010011011010000011101000110000100011110100011000100000110010001010000000001010000',
  '000001010000000011101100000100101010000111000001010111000100011111000001011011011010001000111000',
  '001100101110001100001011010100001110010110101111010110111101001010000010001010000010010110010100',
  '000110110001010001101010010010111000000000000000',
].join('')
