import { queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { CancellationList, Certificate, InspectionFile, RegistrySettings } from './types.ts'

const certificate = (id: string) => `${addressOf('institutes', id)}/certificate`

export const certificateQuery = (id: string) =>
  queryOptions({
    queryKey: ['certificate', id],
    queryFn: ({ signal }) => ask<Certificate>('GET', certificate(id), { signal }),
  })

export const storeCertificate = (id: string, body: { content: string; password: string }) =>
  ask<Certificate>('PUT', certificate(id), { body })

export const forgetCertificate = (id: string) => ask<unknown>('DELETE', certificate(id))

const registry = (id: string) => `${addressOf('institutes', id)}/registry-settings`

export const registrySettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['registry-settings', id],
    queryFn: ({ signal }) => ask<RegistrySettings>('GET', registry(id), { signal }),
  })

export const putRegistrySettings = (id: string, body: RegistrySettings) =>
  ask<RegistrySettings>('PUT', registry(id), { body })

export const makeList = (id: string) =>
  ask<CancellationList>('POST', `${addressOf('institutes', id)}/cancellation-lists`)

export const makeInspectionFile = (id: string, body: Pick<InspectionFile, 'type' | 'startDate' | 'endDate'>) =>
  ask<InspectionFile>('POST', `${addressOf('institutes', id)}/inspection-files`, { body })
