// Text as XML, in the form that canonicalisation leaves alone.

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const VALUE_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

export const escapedText = (text: string): string => text.replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found]!)
export const escapedValue = (text: string): string => text.replace(/[&<"\t\n\r]/g, (found) => VALUE_ESCAPES[found]!)

/** The first character that XML cannot hold at all, not even escaped. */
export function impossibleCharacter(text: string): string | undefined {
  return /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.exec(text)?.[0]
}
