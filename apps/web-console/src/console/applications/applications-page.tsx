import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AppWindow, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { applicationsQuery, revokeKey, switchApplication } from '../api/applications.ts'
import { May } from '../parts/may.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { KeyDialog, NewApplicationDialog, type Open } from './application-dialogs.tsx'
import { ApplicationPanel } from './application-panel.tsx'
import { DisableApplicationDialog, RevokeKeyDialog } from './key-dialogs.tsx'
import { type KeyExtras, noExtras } from './key-extras.ts'

/** Programs that call the contract, and the keys they do it with. */
export function ApplicationsPage({ extras = noExtras }: { extras?: KeyExtras }) {
  const { t } = useTranslation('console-applications')
  const query = useQuery(applicationsQuery)
  const [open, setOpen] = useState<Open>()
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="applications.manage">
          <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'application' })}>
            {t('add')}
          </Button>
        </May>
      </PageHead>
      <Queried query={query}>
        {(applications) =>
          applications.length === 0 ? (
            <Nothing icon={AppWindow} title={t('empty')} text={t('emptyText')} />
          ) : (
            applications.map((application) => (
              <ApplicationPanel key={application.id} application={application} extras={extras} onOpen={setOpen} />
            ))
          )
        }
      </Queried>
      <Dialogs open={open} extras={extras} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Dialogs({ open, extras, onClose }: { open: Open | undefined; extras: KeyExtras; onClose: () => void }) {
  const { t } = useTranslation(['console-applications', 'console'])
  const [made, setMade] = useState<string>()
  return (
    <>
      {open?.kind === 'application' && <NewApplicationDialog onClose={onClose} />}
      {open?.kind === 'key' && (
        <KeyDialog application={open.application} Fields={extras.Fields} onMade={setMade} onClose={onClose} />
      )}
      {open?.kind === 'revoke' && (
        <RevokeKeyDialog name={open.key.description} onConfirm={() => revokeKey(open.key.id)} onClose={onClose} />
      )}
      {open?.kind === 'disable' && (
        <DisableApplicationDialog
          name={open.application.name}
          onConfirm={() => switchApplication(open.application.id, true)}
          onClose={onClose}
        />
      )}
      {made && (
        <OnceDialog
          title={t('newKey')}
          text={t('keyText')}
          value={made}
          what={t('keyWhat')}
          taken={t('console:kept')}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
