import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AppWindow, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { applicationsQuery } from '../api/applications.ts'
import { Nothing } from '../parts/nothing.tsx'
import { DisableDialog, KeyDialog, NewApplicationDialog, type Open, RevokeDialog } from './application-dialogs.tsx'
import { ApplicationPanel } from './application-panel.tsx'

/** Programs that call the contract, and the keys they do it with. */
export function ApplicationsPage() {
  const { t } = useTranslation('sessions-applications')
  const query = useQuery(applicationsQuery)
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'application' })}>
          {t('add')}
        </Button>
      </PageHead>
      <Queried query={query}>
        {(applications) =>
          applications.length === 0 ? (
            <Nothing icon={AppWindow} title={t('empty')} text={t('emptyText')} />
          ) : (
            applications.map((application) => (
              <ApplicationPanel key={application.id} application={application} onOpen={setOpen} />
            ))
          )
        }
      </Queried>
      <Dialogs open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Dialogs({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  const { t } = useTranslation(['sessions-applications', 'sessions'])
  const [made, setMade] = useState<string>()
  return (
    <>
      {open?.kind === 'application' && <NewApplicationDialog onClose={onClose} />}
      {open?.kind === 'key' && <KeyDialog application={open.application} onMade={setMade} onClose={onClose} />}
      {open?.kind === 'revoke' && <RevokeDialog apiKey={open.key} onClose={onClose} />}
      {open?.kind === 'disable' && <DisableDialog application={open.application} onClose={onClose} />}
      {made && (
        <OnceDialog
          title={t('newKey')}
          text={t('keyText')}
          value={made}
          what={t('keyWhat')}
          taken={t('sessions:kept')}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
