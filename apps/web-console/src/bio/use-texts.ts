import { createContext, useContext, useEffect } from 'react'
import { chooseAmong, type ThreeLanguage, threeLanguages } from '../shared/i18n/languages.ts'
import { bioTexts } from './bio-texts.ts'
import { askedLanguage } from './page-calls.ts'

/** The language of the page. */
export const LanguageContext = createContext<ThreeLanguage>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => bioTexts[useContext(LanguageContext)]

/** The one that the application asked for, else the first known one of the browser's, else English. */
export const firstLanguage = (): ThreeLanguage =>
  chooseAmong(threeLanguages, [askedLanguage ?? '', ...navigator.languages])

/** Names the window. */
export function useTitle(title: string): void {
  const { product } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
}
