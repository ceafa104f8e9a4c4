import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { subscriptionsQuery } from '../api/management.ts'

/** Narrows a list to one subscription. */
export function SubscriptionFilter({ subscriptionId }: { subscriptionId: string | undefined }) {
  const { t } = useTranslation(['core', 'console'])
  const { data } = useQuery(subscriptionsQuery())
  const subscriptions = data?.items ?? []
  return (
    <NativeSelect
      // Uncontrolled: the default value applies only if its option exists at mount.
      key={subscriptions.length}
      name="subscriptionId"
      label={t('subscription')}
      defaultValue={subscriptionId ?? ''}
      data={[
        { value: '', label: t('console:any') },
        ...subscriptions.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

export interface SubscriptionSelectProps {
  value: string
  onChange: (id: string) => void
}

/** Chooses one; nothing is chosen before. */
export function SubscriptionSelect({ value, onChange }: SubscriptionSelectProps) {
  const { t } = useTranslation('core')
  const { data } = useQuery(subscriptionsQuery())
  const subscriptions = data?.items ?? []
  return (
    <NativeSelect
      label={t('subscription')}
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: '', label: '–' }, ...subscriptions.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
