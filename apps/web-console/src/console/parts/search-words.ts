/** A word of an address; nothing where it is missing, empty or several. */
export const wordIn = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'string' && search[name].trim() !== '' ? search[name].trim() : undefined

/** Puts together what stands in an address; what is absent is left out. */
export const present = <Filters extends object>(
  filters: Filters,
): { [Name in keyof Filters]?: NonNullable<Filters[Name]> } =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as never
