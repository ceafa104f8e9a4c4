import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { Administrator, NewAdministrator, Role } from './types.ts'

const administrator = (id: string) => `/api/administrators/${encodeURIComponent(id)}`

export const administratorsQuery = queryOptions({
  queryKey: ['administrators'],
  queryFn: ({ signal }) => call<Administrator[]>('GET', '/api/administrators', { signal }),
})

export const createAdministrator = (body: NewAdministrator) =>
  call<Administrator>('POST', '/api/administrators', { body })

export const changeRole = (id: string, role: Role) =>
  call<Administrator>('PUT', `${administrator(id)}/role`, { body: { role } })

export const removeAdministrator = (id: string) => call<unknown>('DELETE', administrator(id))

export const resetSecondFactor = (id: string) => call<unknown>('DELETE', `${administrator(id)}/second-factor`)
