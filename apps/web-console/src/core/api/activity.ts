import { pagedQuery } from '../../console/api/live.ts'
import type { Authentication, Problem } from './types.ts'

type Asked = Readonly<Record<string, string | undefined>>

export const authenticationsQuery = (asked: Asked) => pagedQuery<Authentication>('authentications', asked)

export const problemsQuery = (asked: Asked) => pagedQuery<Problem>('problems', asked)
