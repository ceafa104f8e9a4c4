/** Text as searches compare it: in lower case, without accents. */
const searchKey = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** The words of a text, as searches compare them. */
const searchWords = (text: string): readonly string[] =>
  searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The digits of a CPF or CNPJ in any notation. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** The words of several texts, each once and after a space, so that ` word` finds the beginnings of words alone. */
export const wordKey = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.flatMap((text) => searchWords(text ?? '')))].map((word) => ` ${word}`).join('')

/** What somebody looks for: words, or a CPF in any notation as one. */
export function soughtWords(text: string): readonly string[] {
  const digits = digitsOf(text)
  return /^[\d.\-/\s]+$/.test(text) && digits.length === 11 ? [digits] : [...new Set(searchWords(text))]
}
