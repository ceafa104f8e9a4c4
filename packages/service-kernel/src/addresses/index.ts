/**
 * An address as browsers parse it; undefined for a text that is none. Not by `URL.canParse`: called often, Node 20 takes
 * the bytes of a text with accents for UTF-8, and refuses it.
 */
export function readUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
