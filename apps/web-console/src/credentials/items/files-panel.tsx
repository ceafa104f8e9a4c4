import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { save } from '../api/items.ts'
import { addressOf } from '../api/lists.ts'
import classes from '../parts/parts.module.css'
import type { ItemKind } from './item-kinds.ts'

/** The official XML, byte by byte as it was signed. */
export function FilesPanel({ resource, id, files }: { resource: string; id: string; files: ItemKind['files'] }) {
  const { t } = useTranslation('credentials-items')
  const { failed } = useNotices()
  return (
    <Panel title={t('files.title')} lead={t('files.lead')}>
      <div className={classes.buttons}>
        {files.map((name) => (
          <Button
            key={name}
            variant="default"
            leftSection={<Download size={16} aria-hidden="true" />}
            onClick={() => void save(`${addressOf(resource, id)}/files/${name}`, `${name}-${id}.xml`).catch(failed)}
          >
            {t(`files.${name}`)}
          </Button>
        ))}
      </div>
    </Panel>
  )
}
