// Pictures as a document may have them: in PDF/A without what its part forbids, and in colours that it says.
import type { PdfFile } from '../pdf/pdf-file.ts'
import { dict, name, type PdfDict, type PdfObject } from '../pdf/pdf-object.ts'
import { type ArchivalRules, archivalRules } from './archival-rules.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'

/** A picture as it goes into one document; the same for the same. */
type FittedPicture = (picture: DrawnAppearance) => DrawnAppearance

/** How pictures go into this document. */
export function fittedTo(file: PdfFile): FittedPicture {
  const rules = archivalRules(file)
  if (!rules) return (picture) => picture
  const known = new Map<DrawnAppearance, DrawnAppearance>()
  return (picture) => {
    const fitted = known.get(picture) ?? inArchive(picture, rules)
    known.set(picture, fitted)
    return fitted
  }
}

function inArchive(picture: DrawnAppearance, { transparency, outputColors }: ArchivalRules): DrawnAppearance {
  if (picture.hasInks && outputColors !== 'CMYK')
    throw refusePades('pades.appearance', { reason: 'a picture in CMYK has no place in this PDF/A document' })
  const allowed = transparency ? picture : picture.opaque
  if (outputColors === 'RGB') return allowed
  const resources: DrawnAppearance['resources'] = (add) =>
    new Map([...allowed.resources(add), ['ColorSpace', calibrated]])
  return { ...allowed, resources }
}

const D65 = [0.9505, 1, 1.089]

/**
 * ISO 19005-1 §6.2.3.3: red, green and blue need an output intent of such colours, or to say what they mean. These are
 * the colours of sRGB (IEC 61966-2-1) as near as a power comes to them (ISO 32000-1 §8.6.5.6).
 */
const calibrated: PdfDict = dict({
  DefaultRGB: [
    name('CalRGB'),
    dict({
      WhitePoint: D65,
      Gamma: [2.2, 2.2, 2.2],
      Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
    }),
  ] as PdfObject,
  DefaultGray: [name('CalGray'), dict({ WhitePoint: D65, Gamma: 2.2 })] as PdfObject,
})
