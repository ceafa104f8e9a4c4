import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../format/use-now.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { type KeyTimes, keyState } from './key-state.ts'
import classes from './parts.module.css'

interface KeysTableProps<Row> extends DataTableProps<Row> {
  timesOf: (row: Row) => KeyTimes
}

/** A key may expire while the page is open. */
const LOOK_EVERY_MS = 60_000

/** Keys that are accepted; those that were revoked or have expired are counted, and shown when asked for. */
export function KeysTable<Row>({ timesOf, rows, ...table }: KeysTableProps<Row>) {
  const { t } = useTranslation()
  const now = useNow(LOOK_EVERY_MS)
  const [showsAll, setShowsAll] = useState(false)
  const valid = rows.filter((row) => keyState(timesOf(row), now) === 'valid')
  const past = rows.length - valid.length
  const shown = showsAll ? rows : valid
  return (
    <>
      {shown.length > 0 ? (
        <DataTable {...table} rows={shown} />
      ) : (
        <p className={classes.technical}>{t('keyState.none')}</p>
      )}
      {past > 0 && (
        <Checkbox
          className={classes.past!}
          size="xs"
          checked={showsAll}
          label={t('keyState.past', { count: past })}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />
      )}
    </>
  )
}
