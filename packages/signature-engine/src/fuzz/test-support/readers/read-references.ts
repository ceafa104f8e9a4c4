import { validateXades } from '../../../xades/validate-xades.ts'
import { type Reader, reported } from './reader.ts'

/** A document whose application reads the first of its elements `o:texto`, and says so. */
export const readAnyReferences: Reader = async (bytes, { beside }, { judge, recording: { now } }) => {
  const reads = { xpath: '(//o:texto)[1]', namespaces: { o: 'urn:o' } }
  return reported(await validateXades(bytes, { judge, now, contents: beside, reads }))
}

/** What that application reads; nothing where there is none. */
export const firstText = (bytes: Buffer): Buffer =>
  Buffer.from(/<o:texto[\s>][\s\S]*?<\/o:texto>/.exec(bytes.toString('latin1'))?.[0] ?? '', 'latin1')
