import { chooseLanguage, type Language, type ThreeLanguage } from './languages.ts'

const STORAGE_KEY = 'chancela-language'

/** The language this visitor reads: the one chosen before, else the browser's. */
export const rememberedOrPreferred = (): Language => chooseLanguage(recall(), navigator.languages)

/** The one chosen before. */
export function recall(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    // A browser that blocks storage starts in its own language each time.
    return null
  }
}

export function remember(language: ThreeLanguage): void {
  try {
    localStorage.setItem(STORAGE_KEY, language)
  } catch {
    // The choice still applies to this visit.
  }
}
