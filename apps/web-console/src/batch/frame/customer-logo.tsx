import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { systemQuery } from '../api/queries.ts'

/** The logo of the organization that runs the service; renders nothing where none is configured. */
export function CustomerLogo({ className }: { className: string }) {
  const { data: system } = useQuery(systemQuery)
  return system?.customerLogo ? <Logo className={className} address={system.customerLogo} /> : null
}

/** The same before sign-in: hidden when the image fails to load. */
export function LoginLogo({ className }: { className: string }) {
  return <Logo className={className} address="/branding/customer-logo" />
}

function Logo({ className, address }: { className: string; address: string }) {
  const { t } = useTranslation('batch')
  const [missing, setMissing] = useState(false)
  return missing ? null : <img className={className} src={address} alt={t('logo')} onError={() => setMissing(true)} />
}
