// The characters that text may have. Layout 1.05 names Unicode blocks and categories; what they hold is taken from the
// Unicode of XML Schema's time, so that a verdict does not change with the version of the JavaScript engine.

/** Printable characters of Basic Latin, Latin-1 Supplement and Latin Extended A and B; no soft hyphen, no hard space. */
const latin = '\\u0021-\\u007E\\u00A1-\\u00AC\\u00AE-\\u024F'
const atEnds = `[${latin}\\p{P}]`
const inside = `[${latin}\\p{P}\\p{Zs}]`

/** One line: printable Latin characters and punctuation of any script, with blanks only inside. */
export const latinLine = new RegExp(`^${atEnds}(?:${inside}*${atEnds})?$`, 'u')

/** A character that such a line may have in its middle. */
export const insideLatinLine = new RegExp(`^${inside}$`, 'u')

/** Codes of curricular units: letters, digits and symbols of any script, hyphen and dot. */
export const unitCode = /^(?:[^\p{P}\p{Z}\p{C}]|[-.])+$/u
