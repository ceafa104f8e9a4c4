import type { DerValue } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'

// Names as RFC 5280 §7.1 compares them: relative names in their order, the attributes of each in any order, strings of
// any type by caseIgnoreMatch, whose preparation is RFC 4518. Two spellings of a name get one key.

/** Separate what no prepared string contains: control characters are gone from it. */
const BETWEEN_ATTRIBUTES = '\u0000'
const AFTER_RELATIVE_NAME = '\u0001'
const BYTES = '\u0002'

/** The key of one RelativeDistinguishedName, under any tag. A name's key is that of all of them, so that a prefix is a subtree. */
export const relativeNameKey = (relativeName: DerValue): string =>
  relativeName.inside().rest().map(attributeKey).sort().join(BETWEEN_ATTRIBUTES) + AFTER_RELATIVE_NAME

function attributeKey(pair: DerValue): string {
  const [type, value] = pair.expect(tags.sequence).members()
  if (!type || !value) throw pair.bad('name attribute')
  return `${type.raw.toString('hex')}=${valueKey(value)}`
}

function valueKey(value: DerValue): string {
  const prepared = isWholeText(value) ? preparedString(value.text()) : undefined
  // §7.1: what is no string, and a string that cannot be prepared, equals only the same bytes.
  return prepared ?? BYTES + value.raw.toString('hex')
}

/** Whether two texts are one value of an attribute. */
export const isSameText = (one: string, other: string): boolean =>
  one === other || (preparedString(one) ?? one) === preparedString(other)

/** Reading an odd BMPString drops its last byte. */
const isWholeText = (value: DerValue): boolean =>
  value.isText() && !(value.tag === tags.bmpString && value.length % 2 === 1)

/** The string as caseIgnoreMatch compares it (RFC 4518 §2); undefined when it has a prohibited character. */
function preparedString(text: string): string | undefined {
  if (/^[ -~]*$/.test(text)) return withoutInsignificantSpaces(text.toLowerCase())
  const mapped = folded(text.replace(toNothing, '').replace(toSpace, ' ').normalize('NFKC')).normalize('NFKC')
  return prohibited.test(mapped) ? undefined : withoutInsignificantSpaces(mapped)
}

/** RFC 3454 table B.2: lower case, and the two letters whose case folding is another. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')

// §2.2: line ends and tabs become spaces; control, format and joining characters vanish.
const toSpace = /[\t-\r\u0085\p{Z}]/gu
const toNothing = /(?![\t-\r\u0085])[\p{Cc}\p{Cf}\u1806\ufffc]|\p{Variation_Selector}|\u034f/gu

// §2.4: unassigned, private and surrogate code points, and what stands for bytes that could not be decoded.
const prohibited = /[\p{Cn}\p{Co}\p{Cs}\ufffd]/u

// §2.6.1: spaces at both ends do not count, several inside count as one.
const withoutInsignificantSpaces = (text: string): string =>
  / {2}|^ | $/.test(text) ? text.replace(/ {2,}/g, ' ').replace(/^ | $/g, '') : text
