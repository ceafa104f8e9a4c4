import { useTranslation } from 'react-i18next'
import { useAction } from '../../shared/parts/use-action.ts'
import { tryFolder } from '../api/actions.ts'

/** Tries a held folder on an operator's word, and says what came of it. */
export function useTryFolder(folder: string) {
  const { t } = useTranslation('batch-conditions')
  const { run, busy } = useAction(tryFolder, ({ folders }) =>
    t(folders.some((hold) => hold.folder === folder) ? 'stillStopped' : 'goesOn', { folder }),
  )
  return { busy, run: () => void run(folder) }
}
