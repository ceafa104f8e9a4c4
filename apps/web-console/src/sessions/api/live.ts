/** How often lists that change by themselves are asked for. */
export const REFRESH_MS = 5000

/** A question to the service without what was not asked for. */
export const queryOf = (asked: Readonly<Record<string, string | undefined>>): string =>
  String(new URLSearchParams(Object.entries(asked).filter((entry): entry is [string, string] => Boolean(entry[1]))))
