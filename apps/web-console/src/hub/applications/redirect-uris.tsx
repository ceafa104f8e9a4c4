import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Key } from '../../console/applications/application-dialogs.tsx'
import { May } from '../../console/parts/may.tsx'
import { redirectUrisQuery } from '../api/redirect-uris.ts'
import classes from './redirect-uris.module.css'
import { RedirectUrisDialog } from './redirect-uris-dialog.tsx'
import { UriText } from './uri-text.tsx'

/** The redirect URIs of a key, and a button to change them. */
export function RedirectUris({ apiKey }: { apiKey: Key }) {
  const { t } = useTranslation('hub-redirect-uris')
  const { data = [] } = useQuery(redirectUrisQuery)
  const [open, setOpen] = useState(false)
  const uris = data.filter(({ keyId }) => keyId === apiKey.id).map(({ uri }) => uri)
  return (
    <div className={classes.cell}>
      {uris.length > 0 && (
        <ul className={classes.uris} aria-label={t('of', { name: apiKey.description })}>
          {uris.map((uri) => (
            <li key={uri}>
              <UriText uri={uri} />
            </li>
          ))}
        </ul>
      )}
      {uris.length === 0 && <span className={classes.none}>{t('none')}</span>}
      {apiKey.revokedAt === null && (
        <May right="applications.manage">
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t('changeOf', { name: apiKey.description })}
            onClick={() => setOpen(true)}
          >
            {t('change')}
          </Button>
        </May>
      )}
      {open && <RedirectUrisDialog apiKey={apiKey} uris={uris} onClose={() => setOpen(false)} />}
    </div>
  )
}
