import { type RawBuilder, sql } from 'kysely'

/** Whether a column contains a text; the text has no wildcards. */
export const containing = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${pattern(text)} escape '\\'`

/** The same, ignoring case. */
export const containingAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${pattern(text.toLowerCase())} escape '\\'`

const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
