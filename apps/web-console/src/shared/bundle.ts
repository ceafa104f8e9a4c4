import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { fill } from './i18n/fill.ts'
import type { Language } from './i18n/languages.ts'
import { useLanguage } from './i18n/use-language.ts'

/** What the shared parts need to know of the bundle that uses them. */
export interface Bundle {
  /** The name of the product, for the bar and the titles of pages. */
  readonly product: Readonly<Record<Language, string>>
  /** What each code of its service means. */
  readonly codes: Readonly<Record<Language, Readonly<Record<string, string>>>>
  /** What each finding of its service says, with the facts in double braces. */
  readonly findings?: Readonly<Record<Language, Readonly<Record<string, string>>>>
}

/** What a service found, as data: its page has the sentence. */
export interface Finding {
  readonly code: string
  readonly facts: Readonly<Record<string, string | number>>
}

export const BundleContext = createContext<Bundle>({
  product: { 'pt-BR': 'Chancela', 'en-US': 'Chancela' },
  codes: { 'pt-BR': {}, 'en-US': {} },
})

/** The name of the product in the visitor's language. */
export function useProduct(): string {
  const { language } = useLanguage()
  return useContext(BundleContext).product[language]
}

/** Explains codes in the visitor's language; a code newer than this page keeps the server's message. */
export function useCodeText(): { explain: (code: string, said?: string) => string } {
  const { t } = useTranslation()
  const { language } = useLanguage()
  const known = useContext(BundleContext).codes[language]
  return { explain: (code, said) => known[code] ?? (said || t('problem.unknown', { code })) }
}

/** Findings as sentences of the visitor's language; undefined where one is newer than this page. */
export function useFindings(): (findings: readonly Finding[]) => string | undefined {
  const { language } = useLanguage()
  const known = useContext(BundleContext).findings?.[language] ?? {}
  return (findings) =>
    findings.length > 0 && findings.every(({ code }) => known[code] !== undefined)
      ? findings.map(({ code, facts }) => fill(known[code]!, facts)).join(' ')
      : undefined
}
