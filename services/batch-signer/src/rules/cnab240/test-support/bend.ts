/** Overwrites columns of one record (1-based, as the manuals count) in a list of records. */
export function withColumns(records: readonly string[], record: number, column: number, text: string): string[] {
  const bent = [...records]
  const before = bent[record - 1]
  if (before === undefined) throw new Error(`There is no record ${record}.`)
  bent[record - 1] = before.slice(0, column - 1) + text + before.slice(column - 1 + text.length)
  return bent
}

/** The file of these records, Latin-1, CR LF. */
export const fileOf = (records: readonly string[], ending = '\r\n'): Buffer =>
  Buffer.from(records.map((record) => record + ending).join(''), 'latin1')
