import { validateCades } from '../../../cades/validate-cades.ts'
import { readAnyCms } from './read-cms.ts'
import type { Reader } from './reader.ts'

/** A signature with its content, whose algorithm has parameters: one that is valid is of the algorithm it was made by. */
export const readAnyAlgorithm: Reader = async (bytes, seed, judges) => {
  const verdict = await readAnyCms(bytes, seed, judges)
  if (verdict !== 'valid') return verdict
  const { signatures } = await validateCades(bytes, { judge: judges.judge, now: judges.recording.now })
  if (signatures.some(({ algorithm }) => algorithm !== Buffer.from(seed.beside.algorithm!).toString()))
    throw new Error('another algorithm reported valid')
  return verdict
}
