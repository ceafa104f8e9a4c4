import { openSettled, openSqlite } from './open-sqlite.ts'

/** Folds a copy into one file, which programs other than ours can read as well, and says what is damaged in it. */
export function settleCopy(path: string): string | undefined {
  const connection = openSqlite(path)
  try {
    connection.exec('pragma journal_mode = delete')
  } finally {
    connection.close()
  }
  return damageIn(path)
}

/** The first thing that is wrong with a file nobody writes, or nothing. Reads every page. */
export function damageIn(path: string): string | undefined {
  const connection = openSettled(path)
  try {
    const [verdict] = connection.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[]
    return verdict?.integrity_check === 'ok' ? undefined : (verdict?.integrity_check ?? 'no verdict')
  } finally {
    connection.close()
  }
}
