import { decryptWith } from '../../../envelope/decrypt.ts'
import { sealedContent } from '../corpus/envelope-seeds.ts'
import type { Reader } from './reader.ts'

/** An envelope, opened by its recipient's key. The output must be the original: anything else is a forgery. */
export const readAnyEnvelope: Reader = async (bytes, _, { holder, privateKey }) => {
  const content = await decryptWith({ privateKey, certificate: holder }, bytes)
  if (!content.equals(sealedContent)) throw new Error('the envelope released content that nobody sealed')
  return undefined
}
