import { createContext, useContext } from 'react'
import type { Language } from '../shared/i18n/languages.ts'
import { chooserTexts } from './chooser-texts.ts'

/** The language of the page. */
export const LanguageContext = createContext<Language>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => chooserTexts[useContext(LanguageContext)]

/** Puts values where a text names them in double braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
