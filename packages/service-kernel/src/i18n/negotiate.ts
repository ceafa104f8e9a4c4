/** A longer header is not a browser's; the rest is not read. */
const LONGEST_HEADER = 1_000

interface Preference {
  /** Lower case; `*` stands for any language. */
  readonly range: string
  readonly quality: number
}

/**
 * The language to answer in (RFC 9110 §12.5.4, lookup by language as RFC 4647 §3.4 allows): the best preference that
 * matches exactly or by another region of the same language: `pt` and `pt-PT` are answered in pt-BR. Never throws: an
 * invalid header counts as absent.
 */
export function negotiate<Language extends string>(
  acceptLanguage: string | undefined,
  supported: readonly Language[],
  fallback: Language,
): Language {
  const preferences = preferencesOf(acceptLanguage ?? '')
  const offered = supported.filter((language) => !isRefused(language, preferences))
  for (const preference of preferences) {
    const language = preference.quality > 0 ? answerTo(preference, offered, fallback) : undefined
    if (language !== undefined) return language
  }
  return fallback
}

/** The preferences of a header, best first; those of equal quality in the order they were written. */
function preferencesOf(header: string): Preference[] {
  const preferences = header.slice(0, LONGEST_HEADER).split(',').map(preferenceOf)
  return preferences.filter((preference) => preference !== undefined).sort((a, b) => b.quality - a.quality)
}

const WISH = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=([01](?:\.[0-9]{0,3})?))?$/

function preferenceOf(text: string): Preference | undefined {
  const [, range, quality = '1'] = WISH.exec(text.replace(/[ \t]/g, '').toLowerCase()) ?? []
  return range === undefined ? undefined : { range, quality: Math.min(1, Number(quality)) }
}

function answerTo<Language extends string>(
  preference: Preference,
  offered: readonly Language[],
  fallback: Language,
): Language | undefined {
  if (preference.range === '*') return offered.includes(fallback) ? fallback : offered[0]
  return (
    offered.find((language) => isExactly(preference, language)) ??
    offered.find((language) => isSameLanguage(preference, language))
  )
}

/** Whether the most specific preference for a language refuses it (`q=0`). */
function isRefused(language: string, preferences: readonly Preference[]): boolean {
  const covers = ({ range }: Preference) => `${language.toLowerCase()}-`.startsWith(`${range}-`)
  const nearest = preferences.filter(covers).sort((a, b) => b.range.length - a.range.length)[0]
  return nearest?.quality === 0
}

const isExactly = ({ range }: Preference, language: string): boolean => range === language.toLowerCase()

const isSameLanguage = ({ range }: Preference, language: string): boolean =>
  primary(range) === primary(language.toLowerCase())

const primary = (tag: string): string => tag.split('-')[0]!
