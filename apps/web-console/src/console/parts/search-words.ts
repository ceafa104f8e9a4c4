/** A text parameter of the URL; undefined where it is missing, empty or repeated. */
export const wordIn = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'string' && search[name].trim() !== '' ? search[name].trim() : undefined

/** Filters from URL parameters; undefined ones are left out. */
export const present = <Filters extends object>(
  filters: Filters,
): { [Name in keyof Filters]?: NonNullable<Filters[Name]> } =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as never
