// Routes of the contract that need a right in an organization.
import type { RouteShape } from '@chancela/service-kernel/http'
import * as audit from '../../src/contract/audit.ts'
import * as documents from '../../src/contract/documents.ts'
import * as flows from '../../src/contract/flows.ts'
import * as folders from '../../src/contract/folders.ts'
import * as organizations from '../../src/contract/organizations.ts'
import * as securityContexts from '../../src/contract/security-contexts.ts'
import * as signatures from '../../src/contract/signatures.ts'
import * as templates from '../../src/contract/templates.ts'
import * as uploads from '../../src/contract/uploads.ts'
import * as webhooks from '../../src/contract/webhooks.ts'
import { operations } from '../../src/rules/rights.ts'

/** Names of parameters do not matter. */
export const plainRoute = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}')

/** `METHOD /path/{}` of each. */
export const routesWithRights = (): readonly string[] =>
  [audit, documents, flows, folders, organizations, securityContexts, signatures, templates, uploads, webhooks]
    .flatMap((contract): readonly unknown[] => Object.values(contract))
    .filter((value): value is RouteShape => operations.some((name) => name === (value as RouteShape).access))
    .map(({ method, path }) => plainRoute(`${method} ${path}`))
