import { useQuery } from '@tanstack/react-query'
import { chosenOf } from '../api/acting-for.ts'
import { meQuery } from '../api/session.ts'

/** What the service allows the Administrador alone, as it names it; everything else is everybody's. */
export type Restricted =
  | 'webhooks.manage'
  | 'document-platform.manage'
  | 'users.manage'
  | 'applications.manage'
  | 'institutes.manage'
  | 'partnerships.manage'
  | 'flows.manage'
  | 'documents.annul'
  | 'registrations.annul'
  | 'lists.manage'
  | 'restamps.manage'

/** The organization that the visitor works for. */
export function useOrganization() {
  const { data: me } = useQuery(meQuery)
  return me && chosenOf(me)
}

/** What the visitor may do. Pages only hide what the service would refuse: the check is the service's. */
export function useRights() {
  const isAdministrador = useOrganization()?.role === 'Administrador'
  return { may: (_operation: Restricted) => isAdministrador }
}
