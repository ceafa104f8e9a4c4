import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Dialog, DialogButtons } from '../../shared/parts/dialog.tsx'
import { Findings } from '../../shared/parts/findings.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { testProvider } from '../api/providers.ts'
import type { Check, Provider } from '../api/types.ts'
import { checkTexts } from '../texts/finding-texts.ts'
import classes from './providers.module.css'

/** Once per opening of the dialog: each request calls the provider. */
const testQuery = (id: string) =>
  queryOptions({
    queryKey: ['provider-test', id],
    queryFn: () => testProvider(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Tests a provider, and shows the result of every step. */
export function TestDialog({
  provider: { id, serviceName: name },
  onClose,
}: {
  provider: Provider
  onClose: () => void
}) {
  const { t } = useTranslation('hub-providers')
  const query = useQuery(testQuery(id))
  return (
    <Dialog title={t('testOf', { name })} onClose={onClose} wide>
      <p className={classes.quiet}>{t('testLead')}</p>
      <Queried query={query} lines={3}>
        {({ checks }) => <Report checks={checks} />}
      </Queried>
      <DialogButtons>
        <Button
          variant="default"
          loading={query.isFetching}
          leftSection={<RefreshCw size={16} aria-hidden="true" />}
          onClick={() => void query.refetch()}
        >
          {t('testAgain')}
        </Button>
        <Button onClick={onClose}>{t('done')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

function Report({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation('hub-providers')
  const { language } = useLanguage()
  const isWell = checks.every(({ ok }) => ok)
  return (
    <>
      <p role="status" className={classes.verdict} data-tone={isWell ? 'good' : 'bad'}>
        {t(isWell ? 'testWell' : 'testBad')}
      </p>
      <ul className={classes.checks}>
        {checks.map(({ name, ok, findings, text }) => (
          <li key={name} className={classes.check} data-tone={ok ? 'good' : 'bad'}>
            {ok ? (
              <CircleCheck size={18} role="img" aria-label={t('checkOk')} />
            ) : (
              <CircleX size={18} role="img" aria-label={t('checkFailed')} />
            )}
            <div>
              <p>{checkTexts[language][name]}</p>
              <div className={classes.quiet}>
                <Findings findings={findings} otherwise={text} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
