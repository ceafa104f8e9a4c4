import { type RawBuilder, sql } from 'kysely'

/** Whether a column holds a text somewhere; nothing in the text is a wildcard. */
export const containing = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${pattern(text)} escape '\\'`

/** The same in whatever case both are written. */
export const containingAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${pattern(text.toLowerCase())} escape '\\'`

const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
