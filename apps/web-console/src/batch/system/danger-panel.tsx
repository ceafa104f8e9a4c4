import { Button } from '@mantine/core'
import { Bomb } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { clearJobs } from '../api/actions.ts'
import type { ClearResult } from '../api/types.ts'

const results = ['deleted', 'filesDeleted', 'foldersDeleted', 'eventsDeleted', 'itemsFailed'] as const

/** Clear Jobs deletes everything; a typed word must confirm it. */
export function DangerPanel() {
  const { t } = useTranslation('batch-system')
  const { count } = useFormats()
  const [asking, setAsking] = useState(false)
  const [result, setResult] = useState<ClearResult>()
  const clear = useAction(clearJobs, ({ deleted }) => t('danger.done', { count: deleted }))
  return (
    <Panel title={t('danger.title')} tone="danger" lead={t('danger.lead')}>
      <div>
        <Button color="red" leftSection={<Bomb size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
          {t('danger.clear')}
        </Button>
      </div>
      {result && <Facts dense rows={results.map((key) => [t(`danger.${key}`), count(result[key])])} />}
      {asking && (
        <ConfirmDialog
          title={t('danger.clearTitle')}
          confirm={t('danger.clear')}
          danger
          word={t('danger.word')}
          onConfirm={async () => setResult(await clear.attempt(undefined))}
          onClose={() => setAsking(false)}
        >
          {t('danger.clearText')}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
