/** An id as rows have it, or a text that none has: PostgreSQL fails on some that it is asked to look for. */
export const idIn = (text: string): string => (/^[0-9a-f-]{36}$/i.test(text) ? text.toLowerCase() : '')
