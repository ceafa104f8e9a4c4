import { Button, Switch, Textarea } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { IconButton } from '../../shared/icon-button.tsx'
import { FileField } from '../../shared/parts/file-field.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { certificateName } from './certificate-name.ts'
import { certificatesIn } from './profile-draft.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'

/** Whether outputs are encrypted, and to whom. */
export function EncryptionPanel({ draft, change, errorOf }: PanelProps) {
  const { t } = useTranslation('batch-profiles')
  const certificates = draft.encryptionCertificates
  const error = errorOf('encryptionCertificates')
  const add = (more: readonly string[]) => change({ encryptionCertificates: [...new Set([...certificates, ...more])] })
  return (
    <Panel title={t('encryption.title')} lead={t('encryption.lead')}>
      <Switch
        label={t('encryption.encrypt')}
        description={t('rules.encrypt')}
        checked={draft.encrypt}
        error={errorOf('encrypt')}
        onChange={(event) => change({ encrypt: event.currentTarget.checked })}
      />
      {certificates.length > 0 && (
        <ul className={classes.recipients}>
          {certificates.map((pem, index) => (
            <Recipient
              key={pem}
              pem={pem}
              number={index + 1}
              onRemove={() => change({ encryptionCertificates: certificates.filter((one) => one !== pem) })}
            />
          ))}
        </ul>
      )}
      {error && (
        <p className={classes.fieldError} role="alert">
          {error}
        </p>
      )}
      <AddCertificates onAdd={add} />
    </Panel>
  )
}

/** A recipient who can decrypt the outputs, with the certificate itself for comparison. */
function Recipient({ pem, number, onRemove }: { pem: string; number: number; onRemove: () => void }) {
  const { t } = useTranslation('batch-profiles')
  const { dateUtc } = useFormats()
  const known = certificateName(pem)
  const name = known?.holder ?? t('encryption.certificate', { number })
  return (
    <li>
      <details>
        <summary>
          {name}
          {known && <span className={classes.until}>{t('encryption.until', { day: dateUtc(known.notAfter) })}</span>}
        </summary>
        <pre className={classes.pem}>{pem}</pre>
      </details>
      <IconButton icon={Trash2} label={t('encryption.remove', { name })} onClick={onRemove} />
    </li>
  )
}

function AddCertificates({ onAdd }: { onAdd: (certificates: readonly string[]) => void }) {
  const { t } = useTranslation('batch-profiles')
  const [text, setText] = useState('')
  const [fileNames, setFileNames] = useState<string>()
  const found = certificatesIn(text)
  return (
    <div className={classes.addPem}>
      <Textarea
        label={t('encryption.paste')}
        description={t('encryption.pasteHint')}
        rows={3}
        spellCheck={false}
        value={text}
        error={text.trim() !== '' && found.length === 0 ? t('encryption.noPem') : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.addRow}>
        <FileField
          label={t('encryption.file')}
          accept=".pem,.crt,.cer"
          multiple
          chosen={fileNames}
          onFiles={(files) => {
            setFileNames(files.map(({ name }) => name).join(', '))
            void Promise.all(files.map((file) => file.text())).then((texts) => setText(texts.join('\n')))
          }}
        />
        <Button
          variant="default"
          disabled={found.length === 0}
          leftSection={<Plus size={16} aria-hidden="true" />}
          onClick={() => {
            onAdd(found)
            setText('')
            setFileNames(undefined)
          }}
        >
          {t('encryption.add', { count: found.length })}
        </Button>
      </div>
    </div>
  )
}
