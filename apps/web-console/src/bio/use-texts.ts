import { createContext, useContext, useEffect } from 'react'
import { type BioLanguage, bioLanguages, bioTexts } from './bio-texts.ts'
import { askedLanguage } from './page-calls.ts'

/** The language of the page. */
export const LanguageContext = createContext<BioLanguage>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => bioTexts[useContext(LanguageContext)]

/** The one that the application asked for, else the first known one of the browser's, else English. */
export function firstLanguage(): BioLanguage {
  const known = Object.keys(bioLanguages) as BioLanguage[]
  const wanted = [askedLanguage ?? '', ...navigator.languages].map((tag) => tag.toLowerCase().split('-')[0])
  const spoken = wanted.flatMap((tag) => known.filter((language) => language.split('-')[0] === tag))
  return spoken[0] ?? 'en-US'
}

/** Puts values where a text names them in double braces. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

/** Names the window. */
export function useTitle(title: string): void {
  const { product } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
}
