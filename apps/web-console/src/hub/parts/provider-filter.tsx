import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { providerNamesQuery } from '../api/activity.ts'

/** Narrows a list to one provider. */
export function ProviderFilter({ providerId }: { providerId: string | undefined }) {
  const { t } = useTranslation(['hub', 'console'])
  const { data: providers = [] } = useQuery(providerNamesQuery)
  return (
    <NativeSelect
      // Uncontrolled: the default value applies only if its option exists at mount.
      key={providers.length}
      name="providerId"
      label={t('provider')}
      defaultValue={providerId ?? ''}
      data={[
        { value: '', label: t('console:any') },
        ...providers.map(({ id, serviceName }) => ({ value: id, label: serviceName })),
      ]}
    />
  )
}
