import { Button, Textarea } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { type Access, refuse } from '../api/participant.ts'
import { CodeFields } from './code-fields.tsx'
import classes from './participant.module.css'

export interface RefuseProps {
  access: Access
  /** Whether a code by e-mail is needed: a forwarded link alone must not end a document. */
  requiresCode: boolean
  onRefused: () => void
}

/** Refuses the document, with a reason. */
export function RefuseButton(props: RefuseProps) {
  const { t } = useTranslation('documents-participant')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<CircleX size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
        {t('refuse')}
      </Button>
      {asking && <RefuseDialog {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Longest reason the service takes. */
const MAX_REASON_LENGTH = 4000

function RefuseDialog({ access, requiresCode, onRefused, onClose }: RefuseProps & { onClose: () => void }) {
  const { t } = useTranslation('documents-participant')
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const isCodeMissing = requiresCode && code.trim() === ''

  async function act() {
    await refuse(access, reason.trim(), code.trim() || undefined)
    onRefused()
  }

  return (
    <FormDialog
      title={t('refuseTitle')}
      confirm={t('refuse')}
      danger
      ready={reason.trim() !== '' && !isCodeMissing}
      onSubmit={act}
      onClose={onClose}
    >
      <p>{t('refuseText')}</p>
      <Textarea
        label={t('refuseReason')}
        required
        maxLength={MAX_REASON_LENGTH}
        rows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {requiresCode && (
        <>
          <p className={classes.quiet}>{t('code.confirms')}</p>
          <CodeFields access={access} code={code} onCode={setCode} />
        </>
      )}
    </FormDialog>
  )
}
