/** The languages of every bundle, with the names their speakers give them. */
export const languages = {
  'pt-BR': { short: 'PT', name: 'Português (Brasil)' },
  'en-US': { short: 'EN', name: 'English (US)' },
} as const

export type Language = keyof typeof languages

/** Spoken by visitors who read none of our languages. */
const FALLBACK: Language = 'en-US'

/** The remembered language, else the first of the visitor's own that we speak (pt-PT reads pt-BR), else English. */
export function chooseLanguage(remembered: string | null, preferred: readonly string[]): Language {
  return [remembered ?? '', ...preferred].map(spokenAs).find((language) => language !== undefined) ?? FALLBACK
}

function spokenAs(tag: string): Language | undefined {
  const known = Object.keys(languages) as Language[]
  return known.find((language) => primarySubtag(language) === primarySubtag(tag))
}

const primarySubtag = (tag: string) => tag.toLowerCase().split('-')[0]
