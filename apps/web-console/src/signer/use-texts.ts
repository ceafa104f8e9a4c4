import { createContext, useContext } from 'react'
import { type SignerLanguage, signerTexts } from './signer-texts.ts'

export const LanguageContext = createContext<SignerLanguage>('pt-BR')

/** The texts in the visitor's language. */
export const useTexts = () => signerTexts[useContext(LanguageContext)]

/** Puts values where a text names them in double braces. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

const STORAGE_KEY = 'chancela-signer-language'

/** The language chosen before, else the browser's, else English. */
export function firstLanguage(): SignerLanguage {
  const known = Object.keys(signerTexts) as SignerLanguage[]
  const spoken = (tag: string) => known.find((one) => one.slice(0, 2) === tag.slice(0, 2).toLowerCase())
  return [recalled(), ...navigator.languages].map(spoken).find((one) => one !== undefined) ?? 'en-US'
}

function recalled(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    return '' // a browser that blocks storage starts in its own language each time
  }
}

export function remember(language: SignerLanguage): void {
  try {
    localStorage.setItem(STORAGE_KEY, language)
  } catch {
    // The choice still applies to this visit.
  }
}
