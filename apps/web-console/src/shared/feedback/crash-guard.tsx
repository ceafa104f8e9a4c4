import { Button } from '@mantine/core'
import { Bug } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from './page-state.tsx'

/** Catches rendering errors: without it React leaves an empty window. */
export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <CrashPage /> : this.props.children
  }
}

function CrashPage() {
  const { t } = useTranslation()
  const reload = <Button onClick={() => location.reload()}>{t('crash.reload')}</Button>
  return (
    <main>
      <PageState icon={Bug} title={t('crash.title')} tone="bad" isPage action={reload}>
        {t('crash.text')}
      </PageState>
    </main>
  )
}
