import { DEFAULT_LIMIT, pageFrom, readCursor } from '@chancela/admin-console'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { authenticationOutcomes, listAuthentications, listProblems } from '../../contract/console-activity.ts'
import type { SecurityContexts } from '../../parts/trust/security-contexts.ts'
import { type ListedAuthentication, listAuthenticationEntries, listProblemEntries } from '../../store/activity.ts'
import type { ProblemEntryRow } from '../../store/tables.ts'

const beforeOf = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : readCursor(cursor, 1)[0]

const idOf = ({ id }: { readonly id: string }): readonly string[] => [id]

export async function listedAuthentications(
  { context: { store }, contexts }: { readonly context: Context; readonly contexts: SecurityContexts },
  { limit = DEFAULT_LIMIT, cursor, subscriptionId, outcome }: Static<typeof listAuthentications.query>,
) {
  const filter = { limit: limit + 1, before: beforeOf(cursor), subscriptionId, outcome }
  const builtIn = new Map(contexts.builtIn().map(({ id, name }) => [id, name]))
  const view = (row: ListedAuthentication) => ({
    id: row.id,
    at: row.at,
    subscription: { id: row.subscription_id, name: row.subscription ?? '' },
    application: { id: row.application_id, name: row.application ?? '' },
    generation: row.generation,
    securityContext: { id: row.context_id, name: row.context ?? builtIn.get(row.context_id) ?? '' },
    outcome: row.outcome as (typeof authenticationOutcomes)[number],
    subject: row.subject,
    identifier: row.identifier,
    thumbprint: row.thumbprint,
  })
  return pageFrom(await listAuthenticationEntries(store.db, filter), limit, view, idOf)
}

export async function listedProblems(
  { store }: Context,
  { limit = DEFAULT_LIMIT, cursor, exceptionCode }: Static<typeof listProblems.query>,
) {
  const filter = { limit: limit + 1, before: beforeOf(cursor), exceptionCode: exceptionCode?.trim() || undefined }
  return pageFrom(await listProblemEntries(store.db, filter), limit, problemView, idOf)
}

const problemView = ({ id, at, exception_code, status, code, path, problem, detail }: ProblemEntryRow) => ({
  id,
  at,
  exceptionCode: exception_code,
  status,
  code,
  path,
  problem,
  detail,
})
