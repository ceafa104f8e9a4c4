import { Button, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { uploadRegistration } from '../api/items.ts'
import { InstituteSelect } from '../parts/institute-select.tsx'

/** Takes a request in that came as a file. */
export function IntakeButton() {
  const { t } = useTranslation('credentials-items')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<Upload size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {t('intake.open')}
      </Button>
      {open && <IntakeDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function IntakeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['credentials-items', 'credentials', 'credentials-partnerships'])
  const navigate = useNavigate()
  const [instituteId, setInstituteId] = useState('')
  const [file, setFile] = useState<File>()
  const [description, setDescription] = useState('')
  const { attempt } = useAction(uploadRegistration, () => t('intake.done'))

  async function submit() {
    const form = new FormData()
    form.append('instituteId', instituteId)
    if (description.trim()) form.append('description', description.trim())
    form.append('file', file!)
    const { id } = await attempt(form)
    await navigate({ to: '/registrations/$id', params: { id } })
  }

  return (
    <FormDialog
      title={t('intake.open')}
      confirm={t('intake.send')}
      ready={instituteId !== '' && file !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('intake.text')}</p>
      <InstituteSelect
        label={t('intake.registrar')}
        none={t('credentials-partnerships:choose')}
        required
        offered={({ kind }) => kind !== 'Issuer'}
        value={instituteId}
        onChange={({ currentTarget }) => setInstituteId(currentTarget.value)}
      />
      <FileField
        label={t('intake.file')}
        accept=".xml,application/xml,text/xml"
        chosen={file?.name}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <Textarea
        label={t('description')}
        maxLength={2000}
        rows={2}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
    </FormDialog>
  )
}
