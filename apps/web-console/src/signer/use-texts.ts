import { createContext, useContext } from 'react'
import { chooseAmong, type ThreeLanguage, threeLanguages } from '../shared/i18n/languages.ts'
import { recall } from '../shared/i18n/remembered-language.ts'
import { signerTexts } from './signer-texts.ts'

export const LanguageContext = createContext<ThreeLanguage>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => signerTexts[useContext(LanguageContext)]

/** The language chosen before, else the browser's, else English. */
export const firstLanguage = (): ThreeLanguage => chooseAmong(threeLanguages, [recall() ?? '', ...navigator.languages])
