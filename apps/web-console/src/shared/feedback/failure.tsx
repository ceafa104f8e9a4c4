import { Button } from '@mantine/core'
import { RefreshCw, ServerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../api/get-json.ts'
import classes from './feedback.module.css'
import { PageState } from './page-state.tsx'

interface FailureProps {
  error: unknown
  onRetry: () => void
}

/** Shown in place of the page when its data could not be loaded. */
export function FailurePage({ error, onRetry }: FailureProps) {
  const { t } = useTranslation()
  return (
    <PageState icon={ServerOff} title={t('failure.title')} tone="bad" action={<RetryButton onRetry={onRetry} />}>
      <p>{useReason(error)}</p>
      <p>{t('failure.retrying')}</p>
    </PageState>
  )
}

/** Shown above stale data when the last request failed. `children` says how old it is. */
export function FailureBanner({ error, onRetry, children }: FailureProps & { children: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes.banner} role="alert">
      <ServerOff size={20} aria-hidden="true" />
      <p className={classes.bannerText}>
        <strong>{t('failure.title')}.</strong> {useReason(error)} {children}
      </p>
      <RetryButton onRetry={onRetry} />
    </div>
  )
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" size="xs" leftSection={<RefreshCw size={14} aria-hidden="true" />} onClick={onRetry}>
      {t('failure.retry')}
    </Button>
  )
}

function useReason(error: unknown): string {
  const { t } = useTranslation()
  // Any other error is a bug: it belongs in the error boundary, not in a sentence that blames the server.
  if (!(error instanceof ApiFailure)) throw error
  switch (error.reason.kind) {
    case 'unreachable':
      return t('failure.unreachable', { origin: location.origin })
    case 'refused':
      return t('failure.refused', { status: error.reason.status })
    case 'unreadable':
      return t('failure.unreadable')
  }
}
