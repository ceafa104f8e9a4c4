import { preparePades } from '../../../pades/prepare-pades.ts'
import { validatePades } from '../../../pades/validate-pades.ts'
import { repairPdf } from '../../../pdf/repair/repair-pdf.ts'
import { ask, type Reader, reported } from './reader.ts'

/** A damaged PDF, repaired: it is whole then, nobody has signed it, and somebody may. */
export const readAnyRepaired: Reader = async (bytes, _, { judge, holder, recording: { now } }) => {
  const repair = repairPdf(bytes)
  if (repair.state === 'healthy') return undefined
  if (repairPdf(repair.bytes).state !== 'healthy') throw new Error('a repaired file needs to be repaired')
  ask(() => preparePades(repair.bytes, holder, { now }))
  if (reported(await validatePades(repair.bytes, { judge, now })) === 'valid')
    throw new Error('a repaired file has a valid signature')
  return undefined
}
