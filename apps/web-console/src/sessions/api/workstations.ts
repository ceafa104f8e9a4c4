import { queryOptions } from '@tanstack/react-query'
import { REFRESH_MS } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { EnrolmentCode, NewWorkstation, Workstation } from './types.ts'

const workstation = (id: string) => `/api/workstations/${encodeURIComponent(id)}`

export const workstationsQuery = queryOptions({
  queryKey: ['workstations'],
  queryFn: ({ signal }) => call<Workstation[]>('GET', '/api/workstations', { signal }),
  refetchInterval: REFRESH_MS,
})

export const createWorkstation = (body: NewWorkstation) => call<EnrolmentCode>('POST', '/api/workstations', { body })

export const changeWorkstation = (id: string, body: NewWorkstation) =>
  call<Workstation>('PUT', workstation(id), { body })

export const createEnrolmentCode = (id: string) => call<EnrolmentCode>('POST', `${workstation(id)}/code`)

export const revokeWorkstation = (id: string) => call<unknown>('DELETE', workstation(id))
