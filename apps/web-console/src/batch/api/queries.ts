import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import { failureSpans } from '../jobs/failure-spans.ts'
import { type JobFilters, listQuery } from '../jobs/job-filters.ts'
import type {
  ApprovalInspection,
  ApprovalRecord,
  Approvers,
  BackupView,
  Conditions,
  Failures,
  FolderList,
  JobDetail,
  JobItem,
  JobPayments,
  OperationalEvent,
  Overview,
  Page,
  PipelineState,
  RemittanceTotals,
  Sessions,
  SignInWays,
  Statistics,
  SystemView,
  Who,
} from './types.ts'

/** Durations and sums change with every job; refreshing them more often helps nobody. */
const HOUR_MS = 3_600_000

const STATISTICS_EVERY_MS = 30_000

export const whoQuery = queryOptions({
  queryKey: ['who'],
  queryFn: ({ signal }) => call<Who>('GET', '/api/whoami', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Before anybody signed in. */
export const waysQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: ({ signal }) => call<SignInWays>('GET', '/dashboard/api/sign-in', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Where operators and approvers are signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<Sessions>('GET', '/dashboard/api/sessions', { signal }),
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call<Overview>('GET', '/dashboard/api/overview', { signal }),
})

export const conditionsQuery = queryOptions({
  queryKey: ['conditions'],
  queryFn: ({ signal }) => call<Conditions>('GET', '/dashboard/api/conditions', { signal }),
})

/** The list of jobs; the current page stays visible while the next one loads. */
export const jobsQuery = (filters: JobFilters) =>
  queryOptions({
    queryKey: ['jobs', filters],
    queryFn: ({ signal }) => call<Page<JobItem>>('GET', `/api/jobs?${listQuery(filters)}`, { signal }),
    placeholderData: keepPreviousData,
  })

/** Failures by their cause, as far back as the span goes. */
export const failuresQuery = (span: keyof typeof failureSpans) =>
  queryOptions({
    queryKey: ['failures', span],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - failureSpans[span] * HOUR_MS).toISOString()
      return call<Failures>('GET', `/dashboard/api/failures?${new URLSearchParams({ since })}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => call<JobDetail>('GET', `/api/jobs/${encodeURIComponent(id)}`, { signal }),
  })

/** Who decided what about a job that waits, or waited, for approval. */
export const approvalsQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id, 'approvals'],
    queryFn: ({ signal }) => call<ApprovalRecord>('GET', `/api/jobs/${encodeURIComponent(id)}/approvals`, { signal }),
  })

/** Not refetched by news of the job: a large copy takes a while to hash. */
export const inspectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['approval-inspection', id],
    queryFn: ({ signal }) =>
      call<ApprovalInspection>('GET', `/dashboard/api/jobs/${encodeURIComponent(id)}/approvals/inspection`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const paymentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', id],
    queryFn: ({ signal }) =>
      call<JobPayments>('GET', `/dashboard/api/jobs/${encodeURIComponent(id)}/payments`, { signal }),
  })

/** Statistics of the days from the first to the last, `yyyy-MM-dd` at the site: by the hour up to a week, by the day beyond. */
export const statisticsQuery = (days: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['statistics', days],
    queryFn: ({ signal }) =>
      call<Statistics>('GET', `/dashboard/api/statistics?${new URLSearchParams(days)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: STATISTICS_EVERY_MS,
  })

/** What signed remittances pay, by day, bank and company. */
export const remittancesQuery = (days: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['remittances', days],
    queryFn: ({ signal }) =>
      call<RemittanceTotals>('GET', `/dashboard/api/remittances?${new URLSearchParams(days)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: STATISTICS_EVERY_MS,
  })

export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: ({ signal }) => call<FolderList>('GET', '/dashboard/api/folders', { signal }),
})

export const eventsQuery = (query: string) =>
  queryOptions({
    queryKey: ['events', query],
    queryFn: ({ signal }) => call<Page<OperationalEvent>>('GET', `/api/events?${query}`, { signal }),
    placeholderData: keepPreviousData,
  })

export const eventTypesQuery = queryOptions({
  queryKey: ['events', 'types'],
  queryFn: async ({ signal }) => (await call<{ types: string[] }>('GET', '/api/events/types', { signal })).types,
})

export const pipelineQuery = queryOptions({
  queryKey: ['pipeline'],
  queryFn: ({ signal }) => call<PipelineState>('GET', '/api/pipeline/state', { signal }),
})

/** Links of approvers and their authenticator apps. */
export const approversQuery = queryOptions({
  queryKey: ['approvers'],
  queryFn: ({ signal }) => call<Approvers>('GET', '/dashboard/api/approvers', { signal }),
})

export const backupQuery = queryOptions({
  queryKey: ['backup'],
  queryFn: ({ signal }) => call<BackupView>('GET', '/dashboard/api/backup', { signal }),
})

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => call<SystemView>('GET', '/dashboard/api/system', { signal }),
})
