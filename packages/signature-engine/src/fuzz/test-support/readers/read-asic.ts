import { extendAsic, prepareAsicSignature, validateAsic } from '../../../asic/index.ts'
import { ask, askLater, type Reader, reported } from './reader.ts'

/** A container: prepared for another signature, extended and judged. */
export const readAnyAsic: Reader = async (bytes, _, { judge, timestamps, holder, recording: { now } }) => {
  ask(() => prepareAsicSignature(bytes, holder, { now }))
  await askLater(() => extendAsic(bytes, { judge, timestamps, now, level: 'B-LT' }))
  return reported(await validateAsic(bytes, { judge, now }))
}
