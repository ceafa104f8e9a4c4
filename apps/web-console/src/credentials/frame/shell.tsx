import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { onSessionLost } from '../../shared/api/request.ts'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Frame } from '../../shared/frame/frame.tsx'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { Switches } from '../../shared/frame/switches.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { chosenOf } from '../api/acting-for.ts'
import { meQuery } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import { LeaveButton } from './leave-button.tsx'
import { usePageLinks } from './page-links.ts'
import { Visitor } from './visitor.tsx'

/** The frame around every page of a signed-in person; what is shown depends on the organization, which comes first. */
export function Shell() {
  useSession()
  return <Queried query={useQuery(meQuery)}>{(me) => <Inside me={me} />}</Queried>
}

function Inside({ me }: { me: Me }) {
  const links = usePageLinks()
  const organization = chosenOf(me)
  // Enrolment comes first: the service allows nothing else before.
  if (me.secondFactor === 'to-enrol') return <Navigate to="/second-factor" replace />
  if (!organization) return <Nowhere />
  // A new frame per organization: nothing typed for one is saved in another.
  return <Frame key={organization.id} links={links} switches={<Switches />} visitor={<Visitor me={me} />} />
}

/** For whom no organization has, or any that is disabled. */
function Nowhere() {
  const { t } = useTranslation('credentials')
  return (
    <LoginFrame title={t('nowhere.title')}>
      <PageState icon={Building2} title={t('nowhere.none')}>
        {t('nowhere.text')}
      </PageState>
      <LeaveButton />
    </LoginFrame>
  )
}

/** Redirects to the sign-in when the session has ended, and back afterwards. */
function useSession(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionLost(() => {
        if (location.pathname === '/login') return
        void navigate({ to: '/login', search: { ReturnUrl: location.pathname + location.search } })
      }),
    [navigate],
  )
}
