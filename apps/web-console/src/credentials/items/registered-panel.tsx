import { Button } from '@mantine/core'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { uploadRegistered } from '../api/items.ts'
import classes from '../parts/parts.module.css'

/** Takes the signed degree of a registrar that made it elsewhere. */
export function RegisteredPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-items')
  const [file, setFile] = useState<File>()
  const { run, busy } = useAction(
    (chosen: File) => uploadRegistered(id, chosen),
    () => t('registeredXml.done'),
  )
  return (
    <Panel title={t('registeredXml.title')} lead={t('registeredXml.lead')}>
      <FileField
        label={t('registeredXml.file')}
        accept=".xml,application/xml,text/xml"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <Button
        className={classes.button!}
        loading={busy}
        disabled={file === undefined}
        leftSection={<Upload size={16} aria-hidden="true" />}
        onClick={() => file && void run(file)}
      >
        {t('registeredXml.send')}
      </Button>
    </Panel>
  )
}
