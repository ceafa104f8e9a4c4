/** The cultures of the contract (spec 1 C, Versioning). */
export const cultures = ['en-US', 'pt-BR', 'es-ES'] as const

export type Culture = (typeof cultures)[number]

/** The first of the header's languages that is known; English where none is. */
export function cultureOf(acceptLanguage: string | undefined): Culture {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.trim().toLowerCase().split(';')
      const quality = /^\s*q=([\d.]+)/.exec(parameters.join(';'))?.[1]
      return { language: tag.split('-')[0]!, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
  for (const { language } of wanted) {
    const known = cultures.find((culture) => culture.startsWith(`${language}-`))
    if (language !== '' && known) return known
  }
  return 'en-US'
}
