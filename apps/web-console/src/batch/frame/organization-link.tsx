import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { waysQuery } from '../api/queries.ts'

/** The sign-in at the identity provider, where the service has one. */
export function OrganizationLink({ returnUrl }: { returnUrl: string }) {
  const { t } = useTranslation('batch-login')
  const { data: ways } = useQuery(waysQuery)
  if (!ways?.identityProvider) return null
  const query = new URLSearchParams({ ReturnUrl: returnUrl })
  return (
    <Button component="a" href={`/api/auth/idp-login?${query}`} leftSection={<LogIn size={16} aria-hidden="true" />}>
      {t('organization')}
    </Button>
  )
}
