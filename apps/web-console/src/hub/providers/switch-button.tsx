import { Button } from '@mantine/core'
import { Power, PowerOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../shared/parts/use-action.ts'
import { switchProvider } from '../api/providers.ts'
import type { Provider } from '../api/types.ts'

/** Disables a provider for everything new, or enables it again. */
export function SwitchButton({ provider, size = 'sm' }: { provider: Provider; size?: 'xs' | 'sm' }) {
  const { t } = useTranslation('hub-providers')
  const { id, serviceName: name, enabled } = provider
  const { run, busy } = useAction(
    () => switchProvider(id, !enabled),
    () => t(enabled ? 'wasDisabled' : 'wasEnabled', { name }),
  )
  const Icon = enabled ? PowerOff : Power
  return (
    <Button
      variant="default"
      size={size}
      loading={busy}
      aria-label={t(enabled ? 'disableOf' : 'enableOf', { name })}
      leftSection={<Icon size={14} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t(enabled ? 'disable' : 'enable')}
    </Button>
  )
}
