import { type ComponentType, createContext, useContext } from 'react'
import type { ThreeLanguage } from '../i18n/languages.ts'
import { signingTexts } from './signing-texts.ts'

/** What the component needs to know of the page it is on. It depends on no library of a page: phones load it, too. */
export interface SigningPage {
  readonly language: ThreeLanguage
  /** Shows why a call of the page failed. */
  readonly Problem: ComponentType<{ error: unknown }>
}

export const SigningContext = createContext<SigningPage | undefined>(undefined)

function useSigningPage(): SigningPage {
  const page = useContext(SigningContext)
  if (!page) throw new Error('No SigningContext above.')
  return page
}

/** The texts of signing in the visitor's language. */
export const useSigningTexts = () => signingTexts[useSigningPage().language]

/** How the page shows failures. */
export const useProblem = () => useSigningPage().Problem

/** Writes times in the visitor's language. */
export function useTimes() {
  const { language } = useSigningPage()
  const write = (options: Intl.DateTimeFormatOptions) => (at: string) =>
    new Intl.DateTimeFormat(language, options).format(new Date(at))
  return { date: write({ dateStyle: 'short' }), dateAndMinute: write({ dateStyle: 'short', timeStyle: 'short' }) }
}
