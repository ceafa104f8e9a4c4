import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { providersQuery } from '../api/providers.ts'

/** Narrows a list to one provider. */
export function ProviderFilter({ providerId }: { providerId: string | undefined }) {
  const { t } = useTranslation(['hub', 'console'])
  const { data: providers = [] } = useQuery(providersQuery)
  return (
    <NativeSelect
      // Fields without a state of their own show what was chosen only if it is there from the beginning.
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
