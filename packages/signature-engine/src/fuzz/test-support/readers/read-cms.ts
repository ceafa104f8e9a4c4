import { extendCades } from '../../../cades/extend-cades.ts'
import { prepareCoSignature, prepareCounterSignature } from '../../../cades/prepare-cades.ts'
import { validateCades, validateCadesStream } from '../../../cades/validate-cades.ts'
import { readSignedData } from '../../../cms/signed-data.ts'
import { ask, askLater, type Reader, reported } from './reader.ts'

/** A signature with its content, or beside a content that is whole. */
export const readAnyCms: Reader = async (
  bytes,
  { beside: { content } },
  { judge, timestamps, holder, recording: { now } },
) => {
  ask(() => readSignedData(bytes))
  ask(() => prepareCoSignature(bytes, holder, { now, ...(content && { content }) }))
  ask(() => prepareCounterSignature(bytes, holder, { now }))
  const more = { timestamps, judge, now, ...(content && { content }) }
  await askLater(() => extendCades(bytes, { ...more, level: 'B-LTA' }))
  await askLater(() => extendCades(bytes, { ...more, level: 'AD-RA' }))
  return reported(await validateCades(bytes, { judge, now, ...(content && { content }) }))
}

/** A whole signature beside a content. */
export const readAnyContent: Reader = async (bytes, { beside: { signature } }, { judge, recording: { now } }) =>
  reported(await validateCades(signature!, { judge, now, content: bytes }))

/** A signature that arrives in chunks, unrelated to its structure. */
export const readAnyCmsStream: Reader = async (bytes, _, { judge, recording: { now } }) =>
  reported(await validateCadesStream(inPieces(bytes), { judge, now }))

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const length = 1 + (bytes.length % 1_000)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
