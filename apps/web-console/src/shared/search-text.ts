/** The query of an address as values: a name that stands there several times is a list. */
export function parseSearch(text: string): Record<string, unknown> {
  const query = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

/** The other way round; what is absent is left out, so that a plain page has a plain address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') query.append(name, String(one))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
