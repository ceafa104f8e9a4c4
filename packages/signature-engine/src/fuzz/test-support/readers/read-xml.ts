import { extendXades } from '../../../xades/extend-xades.ts'
import { prepareXades } from '../../../xades/prepare-xades.ts'
import { validateXades } from '../../../xades/validate-xades.ts'
import { canonicalBytes } from '../../../xml/canonical-form.ts'
import { scanXml } from '../../../xml/xml-scanner.ts'
import { ask, askLater, type Reader, reported } from './reader.ts'

/** An XML document: scanned, canonicalised in every way, prepared for a signature, and judged. */
export const readAnyXml: Reader = async (bytes, { beside: { content } }, judges) => {
  const { judge, timestamps, holder, recording } = judges
  const { now } = recording
  ask(() => {
    const index = scanXml(bytes)
    for (const family of ['inclusive', 'inclusive11', 'exclusive'] as const)
      ask(() => canonicalBytes(index, { family, withComments: true }))
  })
  ask(() => prepareXades(bytes, holder, { now }))
  ask(() => prepareXades(bytes, holder, { now, packaging: 'enveloping' }))
  const more = { timestamps, judge, now, ...(content && { content }) }
  await askLater(() => extendXades(bytes, { ...more, level: 'B-LTA' }))
  await askLater(() => extendXades(bytes, { ...more, level: 'AD-RA' }))
  return reported(await validateXades(bytes, { judge, now, ...(content && { content }) }))
}
