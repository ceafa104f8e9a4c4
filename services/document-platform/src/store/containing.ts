import { type RawBuilder, sql } from 'kysely'

/** Whether a column holds a text somewhere; nothing in the text is a wildcard. */
export const containing = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`} escape '\\'`

/** The same in whatever case both are written. */
export const containingAnyCase = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${text.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`} escape '\\'`
