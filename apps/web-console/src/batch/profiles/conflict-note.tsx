import { Button } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './profiles.module.css'

/** Another operator saved meanwhile: the user decides which version to keep. */
export function ConflictNote(props: { onDiscard: () => Promise<void>; onOverwrite: () => Promise<void> }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <div className={classes.conflict} role="alert">
      <GitMerge size={20} aria-hidden="true" />
      <p>{t('conflict.text')}</p>
      <Button variant="default" size="xs" onClick={() => void props.onDiscard()}>
        {t('conflict.discard')}
      </Button>
      <Button variant="default" size="xs" onClick={() => void props.onOverwrite()}>
        {t('conflict.overwrite')}
      </Button>
    </div>
  )
}
