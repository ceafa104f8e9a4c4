/** The languages of every bundle, with their own names. */
export const languages = {
  'pt-BR': { short: 'PT', name: 'Português (Brasil)' },
  'en-US': { short: 'EN', name: 'English (US)' },
} as const

export type Language = keyof typeof languages

/** Those of the PKI core's pages: its contract has three cultures. */
export const threeLanguages = { ...languages, 'es-ES': { short: 'ES', name: 'Español' } } as const

export type ThreeLanguage = keyof typeof threeLanguages

/** For visitors who read none of the languages. */
const FALLBACK = 'en-US'

/** The remembered language, else the first supported one of the visitor's (pt-PT reads pt-BR), else English. */
export const chooseLanguage = (remembered: string | null, preferred: readonly string[]): Language =>
  chooseAmong(languages, [remembered ?? '', ...preferred])

/** The first known one of those that are wanted, else English. */
export function chooseAmong<Tag extends string>(
  known: Readonly<Record<Tag | typeof FALLBACK, unknown>>,
  wanted: readonly string[],
): Tag | typeof FALLBACK {
  const tags = Object.keys(known) as Tag[]
  const spokenAs = (tag: string) => tags.find((one) => primarySubtag(one) === primarySubtag(tag))
  return wanted.map(spokenAs).find((language) => language !== undefined) ?? FALLBACK
}

const primarySubtag = (tag: string) => tag.toLowerCase().split('-')[0]
