const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id a text spells, as jobs carry it; nothing for a text that is no GUID. */
export const jobIdOf = (text: string): string | undefined => (GUID.test(text) ? text.toLowerCase() : undefined)
