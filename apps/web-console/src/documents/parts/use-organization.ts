import { useQuery } from '@tanstack/react-query'
import { organizationQuery } from '../api/organization.ts'
import { meQuery } from '../api/session.ts'

/** The organization the user acts for. */
export function useOrganization() {
  const { data: me } = useQuery(meQuery)
  return useQuery({ ...organizationQuery(me?.organization.id ?? ''), enabled: me !== undefined })
}
