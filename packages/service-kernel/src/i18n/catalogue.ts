import { createInstance } from 'i18next'

/** The languages of the suite. Interfaces have pt-BR and en-US, the PKI core also es; codes and logs are English. */
export const LANGUAGES = ['pt-BR', 'en-US', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** A text, or its singular and plural, which need the parameter `count`. Parameters are written `{{name}}`. */
export type Text =
  | string
  | { readonly one: string; readonly other: string; readonly many?: string; readonly zero?: string }

/** Every key in every language: a missing translation does not compile. */
export type Texts<L extends Language> = Readonly<Record<string, Readonly<Record<L, Text>>>>

type Names<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Names<Rest> : never
type NamesOf<T> = T extends string
  ? Names<T>
  : T extends { readonly other: infer Other extends string }
    ? Names<Other> | 'count'
    : never

/** The parameters of a text; the plural's `count` is a number. */
type Parameters<T> = { readonly [Name in NamesOf<T>]: Name extends 'count' ? number : string | number }
type Given<T> = [NamesOf<T>] extends [never] ? [] : [parameters: Parameters<T>]

/** Returns a text in one language. */
export type Translate<T> = <Key extends keyof T & string>(key: Key, ...given: Given<T[Key][keyof T[Key]]>) => string

export interface Catalogue<L extends Language, T extends Texts<L>> {
  readonly languages: readonly L[]
  /** The texts in one language. Values are inserted unescaped: for HTML, escape the result. */
  translator(language: L): Translate<T>
}

/**
 * A catalogue of texts with its own i18next instance, so that services in one process do not share keys. Texts of one
 * key with different parameters in different languages are a mistake and refused here.
 */
export function createCatalogue<const L extends Language, const T extends Texts<L>>(
  languages: readonly L[],
  texts: T,
): Catalogue<L, T> {
  refuseUnevenParameters(languages, texts)
  const instance = createInstance()
  void instance.init({
    resources: Object.fromEntries(languages.map((language) => [language, { translation: formsOf(texts, language) }])),
    lng: languages[0]!,
    fallbackLng: false,
    load: 'currentOnly',
    // Keys are plain names with dots and colons in them, not paths.
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
    returnEmptyString: true,
  })
  const translators = new Map(languages.map((language) => [language, instance.getFixedT(language)]))
  return {
    languages,
    translator: (language) => {
      const translate = translators.get(language)! as (key: string, parameters: object) => string
      return (key, ...given) => translate(key, given[0] ?? {})
    },
  }
}

/**
 * The texts of a language in i18next's form, in which each plural form is a key with a suffix. Portuguese and Spanish
 * have a form for whole millions (`many`), which is the plural unless a text gives its own; without it i18next would
 * return the key.
 */
function formsOf<L extends Language>(texts: Texts<L>, language: L): Record<string, string> {
  const forms = Object.entries(texts).flatMap(([key, inLanguages]) => {
    const text: Text = inLanguages[language]
    if (typeof text === 'string') return [[key, text]]
    return Object.entries({ many: text.other, ...text }).map(([form, value]) => [`${key}_${form}`, value])
  })
  return Object.fromEntries(forms)
}

function refuseUnevenParameters<L extends Language>(languages: readonly L[], texts: Texts<L>): void {
  for (const [key, inLanguages] of Object.entries<Readonly<Record<L, Text>>>(texts)) {
    const asked = new Set(languages.map((language) => parametersOf(inLanguages[language])))
    if (asked.size > 1) throw new Error(`The text "${key}" asks for different parameters: ${[...asked].join(' / ')}`)
  }
}

/** The parameters of a text, sorted; for a plural those of its general form, as the singular may spell out "one". */
function parametersOf(text: Text): string {
  const whole = typeof text === 'string' ? text : text.other
  const names = [...whole.matchAll(/{{(.*?)}}/g)].map(([, name]) => name!)
  return [...new Set(names)].sort().join(', ')
}
