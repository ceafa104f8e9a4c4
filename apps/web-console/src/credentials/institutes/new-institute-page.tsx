import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { BackLink } from '../parts/back-link.tsx'
import { newInstitute } from './institute-draft.ts'
import { InstituteForm } from './institute-form.tsx'

export function NewInstitutePage() {
  const { t } = useTranslation('credentials-institutes')
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={t('new')} above={<BackLink to="/institutes">{t('title')}</BackLink>} />
      <InstituteForm
        draft={newInstitute}
        onSaved={({ id }) => void navigate({ to: '/institutes/$id', params: { id } })}
      />
    </>
  )
}
