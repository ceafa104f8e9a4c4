import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Catalogue, Namespaces } from './catalogue.ts'
import { type Language, languages } from './languages.ts'
import { remember, rememberedOrPreferred } from './remembered-language.ts'
import { sharedTexts } from './shared-texts.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared'
    resources: Namespaces
  }
}

type BundleTexts = { [Name in Exclude<keyof Namespaces, 'shared'>]?: Catalogue<Namespaces[Name]> }

/** Uses the visitor's language from the first render on, and updates `<html lang>` with it. */
export function startI18n(texts: BundleTexts): i18n {
  const instance = createInstance()
  instance.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  void instance.use(initReactI18next).init({
    lng: rememberedOrPreferred(),
    supportedLngs: Object.keys(languages),
    resources: resources({ shared: sharedTexts, ...texts }),
    defaultNS: 'shared',
    // All texts are in the bundle: nothing to load.
    initAsync: false,
    // React escapes what it renders; escaping twice would show `&#39;`.
    interpolation: { escapeValue: false },
  })
  return instance
}

/** Changes the language and remembers it. */
export async function speak(instance: i18n, language: Language): Promise<void> {
  remember(language)
  await instance.changeLanguage(language)
}

function resources(texts: Record<string, Record<Language, object>>) {
  const inLanguage = (language: Language) =>
    Object.fromEntries(Object.entries(texts).map(([name, catalogue]) => [name, catalogue[language]]))
  return Object.fromEntries((Object.keys(languages) as Language[]).map((language) => [language, inLanguage(language)]))
}
