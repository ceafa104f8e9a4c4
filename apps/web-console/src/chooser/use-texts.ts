import { createContext, useContext } from 'react'
import type { Language } from '../shared/i18n/languages.ts'
import { chooserTexts } from './chooser-texts.ts'

/** The language of the page. */
export const LanguageContext = createContext<Language>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => chooserTexts[useContext(LanguageContext)]
