import { openSettled, openSqlite } from './open-sqlite.ts'

/** Merges a copy into one file, which other programs can read as well, and returns its first damage. */
export function settleCopy(path: string): string | undefined {
  const connection = openSqlite(path)
  try {
    connection.exec('pragma journal_mode = delete')
  } finally {
    connection.close()
  }
  return damageIn(path)
}

/** The first damage of a file that is not written any more, or undefined. Reads every page. */
export function damageIn(path: string): string | undefined {
  const connection = openSettled(path)
  try {
    const [verdict] = connection.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[]
    return verdict?.integrity_check === 'ok' ? undefined : (verdict?.integrity_check ?? 'no verdict')
  } finally {
    connection.close()
  }
}
