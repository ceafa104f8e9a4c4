import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { invitationQuery } from '../api/session.ts'
import { AcceptForm } from './accept-form.tsx'

/** Accepts an invitation to an organization. */
export function InvitationPage() {
  const { t } = useTranslation('documents-invitation')
  const { ticket = '' } = useSearch({ from: '/invitation' })
  const query = useQuery({ ...invitationQuery(ticket), enabled: ticket !== '' })
  if (ticket === '' || refusalCode(query.error) === 'InvitationInvalidOrExpired') return <Over />
  return (
    <LoginFrame title={t('title')}>
      <Queried query={query}>{(invitation) => <AcceptForm ticket={ticket} invitation={invitation} />}</Queried>
    </LoginFrame>
  )
}

/** For an invitation that is no longer valid: says what to do, depending on whether it was accepted. */
function Over() {
  const { t } = useTranslation('documents-invitation')
  return (
    <LoginFrame title={t('over.title')}>
      <p>{t('over.why')}</p>
      <p>{t('over.accepted')}</p>
      <p>{t('over.otherwise')}</p>
      <LinkButton to="/login" search={{}}>
        {t('over.signIn')}
      </LinkButton>
    </LoginFrame>
  )
}
