import { signPades } from '../../../pades/sign-pades.ts'
import { containerKinds } from '../../../pdf/test-support/sample-pdfs.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Every kind of container, and signed ones. */
export async function repairSeeds({ ec, now }: CorpusWorld): Promise<Seed[]> {
  const kinds = Object.entries(containerKinds)
  const signed = kinds.map(async ([name, pdf]) => seed(`${name}, signed`, await signPades(pdf(), ec, { now })))
  return [...kinds.map(([name, pdf]) => seed(name, pdf())), ...(await Promise.all(signed))]
}
