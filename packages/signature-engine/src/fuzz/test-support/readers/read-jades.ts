import { extendJades, prepareJadesSignature, validateJades } from '../../../jades/index.ts'
import { ask, askLater, type Reader, reported } from './reader.ts'

/** A JWS: prepared for another signature, extended and judged. */
export const readAnyJades: Reader = async (
  bytes,
  { beside: { content } },
  { judge, timestamps, holder, recording: { now } },
) => {
  const outside = content && { content }
  ask(() => prepareJadesSignature(bytes, holder, { now }))
  await askLater(() => extendJades(bytes, { ...outside, judge, timestamps, now, level: 'B-LTA' }))
  return reported(await validateJades(bytes, { ...outside, judge, now }))
}
