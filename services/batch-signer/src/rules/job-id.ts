const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Normalizes a job id; undefined for a text that is no GUID. */
export const jobIdOf = (text: string): string | undefined => (GUID.test(text) ? text.toLowerCase() : undefined)
