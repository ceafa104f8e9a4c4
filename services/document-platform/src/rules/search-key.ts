/** Text as it is compared in searches: in lower case, without accents. */
export const searchKey = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** The words of a text, as searches compare them. */
export const searchWords = (text: string): readonly string[] =>
  searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The words of a text, each after a space, so that a prefix search for ` word` finds word beginnings only. */
export const wordKey = (text: string): string =>
  searchWords(text)
    .map((word) => ` ${word}`)
    .join('')

/** The digits of a CPF, CNPJ or telephone number in any notation. */
export const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')
