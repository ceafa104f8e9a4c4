import { Button } from '@mantine/core'
import { Download, Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import type { SignaturesInfo } from '../api/types.ts'
import { localAddress } from '../participant/local-address.ts'
import { PdfReader } from '../pdf/pdf-reader.tsx'
import classes from './validate.module.css'

/** The document itself, where its organization makes concluded ones public. */
export function PublicContent({ info: { contentLocation, mimeType, filename } }: { info: SignaturesInfo }) {
  const { t } = useTranslation('documents-validate')
  const [isOpen, setOpen] = useState(false)
  if (!contentLocation) return null
  const address = localAddress(contentLocation)
  return (
    <Panel title={t('content.title')} lead={t('content.lead')}>
      <div className={classes.buttons}>
        {mimeType === 'application/pdf' && !isOpen && (
          <Button leftSection={<Eye size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
            {t('content.show')}
          </Button>
        )}
        <Button
          component="a"
          href={address}
          download={filename}
          variant="default"
          leftSection={<Download size={16} aria-hidden="true" />}
        >
          {t('content.download')}
        </Button>
      </div>
      {isOpen && <PdfReader source={address} />}
    </Panel>
  )
}
