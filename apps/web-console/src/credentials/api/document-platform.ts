import { queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { Connection, ConnectionChange, ConnectionTest } from './types.ts'

const ofOrganization = (id: string) => `${addressOf('subscriptions', id)}/document-platform`

export const connectionQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['document-platform', organizationId],
    queryFn: ({ signal }) => ask<Connection>('GET', ofOrganization(organizationId), { signal }),
  })

export const putConnection = (organizationId: string, body: ConnectionChange) =>
  ask<Connection>('PUT', ofOrganization(organizationId), { body })

export const testConnection = (organizationId: string) =>
  ask<ConnectionTest>('POST', `${ofOrganization(organizationId)}/test`, {})

export const forgetConnection = (organizationId: string) => ask<unknown>('DELETE', ofOrganization(organizationId), {})
