import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { meQuery } from '../api/session.ts'
import { FactorPanel } from './factor-panel.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordPanel } from './password-panel.tsx'

/** The account of whoever is signed in: authenticator app, password, and where it is signed in. */
export function AccountPage() {
  const { t } = useTranslation('documents-account')
  const query = useQuery(meQuery)
  return (
    <>
      <PageHead title={t('title')} />
      <Queried query={query}>
        {(me) => (
          <>
            <Facts
              rows={[
                [t('name'), me.name],
                [t('email'), me.email],
              ]}
            />
            {/* First: where an organization asks for it, this is what the page is opened for. */}
            <FactorPanel me={me} />
            <PasswordPanel me={me} />
            <OwnSessions />
          </>
        )}
      </Queried>
    </>
  )
}
