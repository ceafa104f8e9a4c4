/** The languages of every bundle, with their own names. */
export const languages = {
  'pt-BR': { short: 'PT', name: 'Português (Brasil)' },
  'en-US': { short: 'EN', name: 'English (US)' },
} as const

export type Language = keyof typeof languages

/** For visitors who read none of the languages. */
const FALLBACK: Language = 'en-US'

/** The remembered language, else the first supported one of the visitor's (pt-PT reads pt-BR), else English. */
export function chooseLanguage(remembered: string | null, preferred: readonly string[]): Language {
  return [remembered ?? '', ...preferred].map(spokenAs).find((language) => language !== undefined) ?? FALLBACK
}

function spokenAs(tag: string): Language | undefined {
  const known = Object.keys(languages) as Language[]
  return known.find((language) => primarySubtag(language) === primarySubtag(tag))
}

const primarySubtag = (tag: string) => tag.toLowerCase().split('-')[0]
