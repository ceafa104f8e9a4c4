import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecoveryCodesDialog } from '../../shared/authenticator/recovery-codes-dialog.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { makeRecoveryCodes, recoveryCodesQuery } from '../api/session.ts'
import classes from './account.module.css'

/** How many recovery codes are left, and the way to new ones. */
export function RecoveryCodes() {
  const { t } = useTranslation('console-administrators')
  const query = useQuery(recoveryCodesQuery)
  const [codes, setCodes] = useState<readonly string[]>()
  const texts = {
    title: t('account.codes.title'),
    text: t('account.codes.text'),
    what: t('account.codes.what'),
    taken: t('account.codes.taken'),
  }
  const { run, busy } = useAction(makeRecoveryCodes, () => t('account.codesMade'))
  return (
    <>
      <Queried query={query}>{({ left }) => <p>{t('account.codesLeft', { left })}</p>}</Queried>
      <Button
        variant="default"
        loading={busy}
        className={classes.button!}
        leftSection={<LifeBuoy size={16} aria-hidden="true" />}
        onClick={async () => setCodes((await run(undefined))?.codes)}
      >
        {t('account.makeCodes')}
      </Button>
      {codes && <RecoveryCodesDialog codes={codes} texts={texts} onClose={() => setCodes(undefined)} />}
    </>
  )
}
