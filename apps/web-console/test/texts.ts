import type { Catalogue } from '../src/shared/i18n/catalogue.ts'

/** Faults the compiler cannot see: empty texts, or other placeholders than the English ones. */
export function faultsOf<Texts extends object>(catalogue: Catalogue<Texts>): string[] {
  const english = textsByPath(catalogue['en-US'])
  return Object.entries(catalogue).flatMap(([language, texts]) =>
    [...textsByPath(texts as object)]
      .filter(([path, text]) => text.trim() === '' || placeholders(text) !== placeholders(english.get(path)))
      .map(([path]) => `${language} ${path}`),
  )
}

function textsByPath(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string' ? [[`${path}${key}`, text] as const] : [...textsByPath(text, `${path}${key}.`)],
    ),
  )
}

const placeholders = (text = '') => (text.match(/\{\{\w+\}\}/g) ?? []).sort().join()
