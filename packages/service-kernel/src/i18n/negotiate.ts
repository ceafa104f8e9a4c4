/** Beyond this a header is not a browser's; what follows is not read. */
const LONGEST_HEADER = 1_000

interface Wish {
  /** Lower case; `*` stands for any language. */
  readonly range: string
  readonly quality: number
}

/**
 * The language to answer in (RFC 9110 §12.5.4, lookup by language as RFC 4647 §3.4 allows): the best wish that is met
 * exactly or by another region of the same language: `pt` and `pt-PT` are answered in pt-BR. Never throws: a header
 * that makes no sense counts as absent.
 */
export function negotiate<Language extends string>(
  acceptLanguage: string | undefined,
  supported: readonly Language[],
  fallback: Language,
): Language {
  const wishes = wishesOf(acceptLanguage ?? '')
  const offered = supported.filter((language) => !isRefused(language, wishes))
  for (const wish of wishes) {
    const language = wish.quality > 0 ? answerTo(wish, offered, fallback) : undefined
    if (language !== undefined) return language
  }
  return fallback
}

/** The wishes of a header, best first; those of equal quality in the order they were written. */
function wishesOf(header: string): Wish[] {
  const wishes = header.slice(0, LONGEST_HEADER).split(',').map(wishOf)
  return wishes.filter((wish) => wish !== undefined).sort((a, b) => b.quality - a.quality)
}

const WISH = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=([01](?:\.[0-9]{0,3})?))?$/

function wishOf(text: string): Wish | undefined {
  const [, range, quality = '1'] = WISH.exec(text.replace(/[ \t]/g, '').toLowerCase()) ?? []
  return range === undefined ? undefined : { range, quality: Math.min(1, Number(quality)) }
}

function answerTo<Language extends string>(
  wish: Wish,
  offered: readonly Language[],
  fallback: Language,
): Language | undefined {
  if (wish.range === '*') return offered.includes(fallback) ? fallback : offered[0]
  return (
    offered.find((language) => isExactly(wish, language)) ?? offered.find((language) => isSameLanguage(wish, language))
  )
}

/** Whether the nearest thing said of a language is that it is not acceptable (`q=0`). */
function isRefused(language: string, wishes: readonly Wish[]): boolean {
  const covers = ({ range }: Wish) => `${language.toLowerCase()}-`.startsWith(`${range}-`)
  const nearest = wishes.filter(covers).sort((a, b) => b.range.length - a.range.length)[0]
  return nearest?.quality === 0
}

const isExactly = ({ range }: Wish, language: string): boolean => range === language.toLowerCase()

const isSameLanguage = ({ range }: Wish, language: string): boolean =>
  primary(range) === primary(language.toLowerCase())

const primary = (tag: string): string => tag.split('-')[0]!
