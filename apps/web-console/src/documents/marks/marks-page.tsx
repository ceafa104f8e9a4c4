import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { TimerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { useFailureText } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { marksSessionQuery } from '../api/marks-session.ts'
import { PublicFrame } from '../frame/public-frame.tsx'
import { Placing } from './placing.tsx'

/** Where somebody places marks on the files of a session, mostly inside the page of an application. */
export function MarksPage() {
  const { t } = useTranslation('documents-marks')
  const { sessionId } = useParams({ from: '/position-marks/$sessionId' })
  const session = useQuery(marksSessionQuery(sessionId))
  return (
    <PublicFrame bare={window.parent !== window}>
      <PageHead title={t('title')} lead={t('lead')} />
      {refusalCode(session.error) === 'MarksSessionNotFound' ? (
        <Expired error={session.error} />
      ) : (
        <Queried query={session} lines={12}>
          {(page) => <Placing session={page} />}
        </Queried>
      )}
    </PublicFrame>
  )
}

function Expired({ error }: { error: unknown }) {
  const { t } = useTranslation('documents-marks')
  const explain = useFailureText()
  return (
    <PageState icon={TimerOff} title={t('expired')} tone="bad">
      {explain(error)}
    </PageState>
  )
}
